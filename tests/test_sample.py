"""The sample photo that ships, read by the networks that ship."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import cv2

from vision.read import Reader

ROOT = Path(__file__).parents[1]
SAMPLE = ROOT / "hupai" / "sample.jpg"
TABLE = ROOT / "tests" / "data" / "mahjong_14.jpg"


def hupai(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "hupai", *map(str, arguments)], capture_output=True, text=True, cwd=ROOT, check=False
    )


def test_the_sample_scores_as_the_readme_says(tmp_path: Path) -> None:
    out = tmp_path / "annotated.jpg"
    done = hupai("score", SAMPLE, "--rules", "xiangqi-3", "--out", out)
    assert (done.returncode, done.stderr) == (0, "")
    assert "fan" in done.stdout
    assert "receives" in done.stdout
    assert cv2.imread(str(out)).shape == cv2.imread(str(SAMPLE)).shape


def test_reading_twice_gives_the_same() -> None:
    first, second = (json.loads(hupai("read", SAMPLE, "--rules", "xiangqi-3", "--json").stdout) for _ in range(2))
    for reading in (first, second):
        assert reading.pop("ms").keys() == {"decode", "detect", "classify", "assemble"}
    assert first == second
    assert first["hand"]["win"]


def test_twelve_megapixels_take_no_more_than_their_share_of_memory(tmp_path: Path) -> None:
    photo = tmp_path / "large.jpg"
    cv2.imwrite(str(photo), cv2.resize(cv2.imread(str(TABLE)), (4000, 3000), interpolation=cv2.INTER_CUBIC))
    # The kernel's own peak of that process; getrusage would count what this one held when it started it.
    code = (
        "import sys; from pathlib import Path; from vision.read import Reader; "
        "Reader().read(Path(sys.argv[1]), family='mahjong'); "
        "print(*(line.split()[1] for line in open('/proc/self/status') if line.startswith('VmHWM')))"
    )
    done = subprocess.run([sys.executable, "-c", code, photo], capture_output=True, text=True, cwd=ROOT, check=True)
    assert int(done.stdout) < 500 * 1024


def test_a_table_without_a_hand_is_read_all_the_same() -> None:
    reading = Reader().read(TABLE, family="mahjong", rules="lata")
    assert (reading.width, reading.height) == (1600, 1200)
    assert len(reading.tiles) >= 10


def test_several_processes_read_the_same_in_the_same_order(tmp_path: Path) -> None:
    missing = tmp_path / "absent.jpg"
    photos = (SAMPLE, missing, TABLE, SAMPLE)
    alone, shared = (hupai("read", *photos, "--rules", "xiangqi-3", "--json", "--jobs", jobs) for jobs in ("1", "3"))
    assert alone.returncode == shared.returncode == 2
    assert alone.stderr == shared.stderr
    assert "absent.jpg: there is no such file" in shared.stderr
    readings = [[json.loads(line) for line in done.stdout.splitlines()] for done in (alone, shared)]
    for reading in (*readings[0], *readings[1]):
        reading.pop("ms", None)
    assert readings[0] == readings[1]
    assert [Path(reading["photo"]).name for reading in readings[1]] == [photo.name for photo in photos]
