"""Fetch the fonts and stroke data that faces are drawn from. None of them is committed.

    python -m models.training.fetch_fonts [--into training/fonts]

Debian's packages come through apt-get (when run as root), the others through npm; what cannot be fetched is named and
left out, since training works with fewer fonts. All are free (OFL, Arphic, GPL with font exception, IPA and the like).
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import click

DEBIAN = """
aoyagi-kouzan-t aoyagi-soseki arphic-bkai00mp arphic-bsmi00lp arphic-gbsn00lp arphic-gkai00mp arphic-ukai arphic-uming
baekmuk cns11643-kai cns11643-sung cwtex-fs cwtex-heib cwtex-kai cwtex-ming cwtex-yen dejima-mincho hanazono ipaexfont
ipafont-mincho kiloji konatu kouzan-mouhitsu lexi-gulim lexi-saebom lxgw-wenkai migmix morisawa-bizud-mincho
motoya-l-cedar motoya-l-maruberi noto-cjk noto-cjk-extra oradano-mincho-gsrr sawarabi-mincho seto smiley-sans
takao-mincho unfonts-core vlgothic wqy-microhei wqy-zenhei yozvox-yozfont-standard-kana
"""

NPM = """
liu-jian-mao-cao long-cang ma-shan-zheng zcool-kuaile zcool-qingke-huangyou zcool-xiaowei zhi-mang-xing noto-serif-sc
noto-sans-sc lxgw-wenkai shippori-mincho zen-old-mincho zen-antique kaisei-opti kaisei-tokumin yuji-syuku yuji-boku
yuji-mai klee-one yusei-magic yomogi zen-kurenaido dela-gothic-one rocknroll-one reggae-one potta-one kiwi-maru
hina-mincho new-tegomin zen-maru-gothic lxgw-wenkai-tc chocolate-classical-sans cactus-classical-serif stick
"""

# Clerical, brush and display faces: tjl Tiejili, hlxsjt Honglei running, jxzk Jiangxi Zhuokai, mkwtyt Tangyuan, ysbth
# Youshe title.
SPLIT = "tjl hlxsjt jxzk mkwtyt ysbth"

STROKES = "hanzi-writer-data"


def _run(command: list[str], cwd: Path | None = None) -> bool:
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)
    if done.returncode:
        click.echo(f"left out: {' '.join(command[-1:])} ({(done.stderr.strip().splitlines() or ['no message'])[0]})")
    return done.returncode == 0


@click.command()
@click.option("--into", type=click.Path(path_type=Path), default=Path("training/fonts"), show_default=True)
def main(into: Path) -> None:
    """Install the font packages and put the npm ones under INTO."""
    into.mkdir(parents=True, exist_ok=True)
    if shutil.which("apt-get") and os.geteuid() == 0:
        for name in DEBIAN.split():
            _run(["apt-get", "install", "-y", "-q", "--no-install-recommends", f"fonts-{name}"])
    if not shutil.which("npm"):
        sys.exit("npm is missing: install it (Debian: apt-get install npm), or go on with Debian's fonts alone")
    _run(["npm", "init", "-y"], cwd=into)
    packages = [*(f"@fontsource/{n}" for n in NPM.split()), *(f"@chinese-fonts/{n}" for n in SPLIT.split()), STROKES]
    for name in packages:
        _run(["npm", "install", "--no-audit", "--no-fund", "--ignore-scripts", name], cwd=into)


if __name__ == "__main__":
    main()
