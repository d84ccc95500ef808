"""Cut the font of printed sheets out of LXGW WenKai: only the characters that faces and captions use.

    python -m calibration.fonts.subset LXGWWenKai-Bold.ttf

The source is in Debian's package fonts-lxgw-wenkai, under the SIL Open Font License (OFL.txt). The licence reserves the
names of the source, so that the cut one has its own.
"""

from __future__ import annotations

import sys
from pathlib import Path

from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont

from calibration.captions import CAPTIONS
from calibration.drawing import FONT
from calibration.faces import characters
from scoring.ruleset import rule_set, rule_sets

NAME = "Hupai Kai"
PRINTABLE = "".join(map(chr, range(0x20, 0x7F)))
_COPYRIGHT, _FAMILY, _STYLE, _UNIQUE, _FULL, _VERSION, _POSTSCRIPT = range(7)
_KEPT = {_COPYRIGHT, _STYLE, _VERSION, 13, 14}  # 13 and 14 are the licence and where it stands


def needed() -> frozenset[str]:
    """Every character that a sheet may show."""
    texts = [PRINTABLE, *(text for pair in CAPTIONS.values() for text in pair)]
    texts += [rule_set(id).name.zh for id in rule_sets()]
    return characters() | frozenset("".join(texts))


def cut(source: Path, target: Path) -> None:
    """Write the font of the needed characters. Raises ValueError where the source lacks some."""
    font = TTFont(source)
    missing = sorted(needed() - {chr(code) for code in font.getBestCmap()})
    if missing:
        raise ValueError(f"{source.name} has no {' '.join(missing)}")
    options = Options(hinting=False, layout_features=[], name_IDs=["*"], notdef_outline=True, drop_tables=[*_UNUSED])
    subsetter = Subsetter(options)
    subsetter.populate(text="".join(sorted(needed())))
    subsetter.subset(font)
    names = font["name"]
    names.names = [record for record in names.names if record.nameID in _KEPT and record.langID == 0x409]
    for number, text in ((_FAMILY, NAME), (_UNIQUE, NAME), (_FULL, NAME), (_POSTSCRIPT, NAME.replace(" ", ""))):
        names.setName(text, number, 3, 1, 0x409)
    font.save(target)


_UNUSED = ("BASE", "GDEF", "GSUB", "GPOS", "vhea", "vmtx", "gasp", "DSIG")

if __name__ == "__main__":
    cut(Path(sys.argv[1]), FONT)
