"""How long a photo takes, part by part, and how much memory; beside `mahjong-detector` where that is to be had.

    python bench/reading.py [--photo FILE --family F] [--runs 30] [--beside PYTHON]

The photo is a rendered hand of 14 mahjong tiles (tests/data/mahjong_14.jpg) blown up to 12 megapixels with the noise of
a sensor, or the one given. PYTHON is the interpreter of an environment into which `pip install mahjong-detector==0.0.6`
has been run; both read the same file, in turns, in processes of their own. Times are medians, in milliseconds.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

import click
import cv2
import numpy as np
from rich.console import Console
from rich.table import Table

DATA = Path(__file__).parents[1] / "tests" / "data"
ROUNDS = 3

# The kernel's own peak of this program; getrusage also counts what its parent held when it was started.
PEAK = """
def peak_mb():
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) / 1024 for line in status if line.startswith("VmHWM"))
"""

OURS = """
import json, sys
from pathlib import Path
from vision.read import Reader
photo, family, runs = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
reader = Reader(threads=2)
readings = [reader.read(photo, family=family) for _ in range(runs + 2)][2:]
print(json.dumps({
    "ms": [reading.ms for reading in readings],
    "codes": [tile.code for tile in readings[0].tiles if tile.code],
    "peak_mb": peak_mb(),
}))
"""

THEIRS = """
import json, sys, time
from mahjong_detector import detect_tiles
photo, runs = sys.argv[1], int(sys.argv[3])
honors = {"tou": "1z", "nan": "2z", "sha": "3z", "pe": "4z", "haku": "5z", "hatsu": "6z", "chun": "7z"}
times = []
for _ in range(runs + 2):
    start = time.perf_counter()
    found = detect_tiles(photo)
    times.append({"whole": 1000 * (time.perf_counter() - start)})
print(json.dumps({
    "ms": times[2:],
    "codes": [honors.get(name, name) for name in found],
    "peak_mb": peak_mb(),
}))
"""


def twelve_megapixels(source: Path, target: Path) -> None:
    """The picture at 4000×3000, a JPEG as a phone writes it."""
    image = cv2.resize(cv2.imread(str(source)), (4000, 3000), interpolation=cv2.INTER_CUBIC).astype(np.float32)
    image += np.random.default_rng(0).normal(0, 4, image.shape).astype(np.float32)
    cv2.imwrite(str(target), np.clip(image, 0, 255).astype(np.uint8), [cv2.IMWRITE_JPEG_QUALITY, 92])


def timed(python: str, code: str, photo: Path, family: str, runs: int) -> dict[str, Any]:
    """What a process of its own says of reading the photo so many times, after two that do not count."""
    done = subprocess.run(
        [python, "-c", PEAK + code, str(photo), family, str(runs)], capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise click.ClickException(f"{python}: {done.stderr.strip().splitlines()[-1]}")
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


def together(parts: list[dict[str, Any]]) -> dict[str, Any]:
    """Several rounds as one."""
    return {
        "ms": [times for part in parts for times in part["ms"]],
        "codes": parts[0]["codes"],
        "peak_mb": max(part["peak_mb"] for part in parts),
    }


def right(found: list[str], truth: list[str]) -> str:
    """How many of the tiles were named, wherever they lie, and how many names are too many."""
    common = (Counter(found) & Counter(truth)).total()
    return f"{common} of {len(truth)}, {len(found) - common} wrong"


@click.command()
@click.option("--photo", type=click.Path(exists=True, path_type=Path), help="Time this photo as it is.")
@click.option("--family", default="mahjong", show_default=True)
@click.option("--runs", default=30, show_default=True)
@click.option("--beside", metavar="PYTHON", help="An interpreter that has mahjong-detector.")
def main(photo: Path | None, family: str, runs: int, beside: str | None) -> None:
    """Print the times, the peak memory and the tiles named right."""
    with tempfile.TemporaryDirectory() as folder:
        truth_file = (photo or DATA / "mahjong_14.jpg").with_suffix(".json")
        if photo is None:
            photo = Path(folder) / "hand.jpg"
            twelve_megapixels(DATA / "mahjong_14.jpg", photo)
        height, width = cv2.imread(str(photo)).shape[:2]
        each = -(-runs // ROUNDS)
        ours, theirs = [], []
        for _ in range(ROUNDS):
            ours.append(timed(sys.executable, OURS, photo, family, each))
            if beside:
                theirs.append(timed(beside, THEIRS, photo, family, each))
        size = photo.stat().st_size / 1e6
    truth = [tile["label"] for tile in json.loads(truth_file.read_text())["tiles"]] if truth_file.exists() else []

    table = Table(title=f"{width}×{height} JPEG, {size:.1f} MB, {each * ROUNDS} readings", title_justify="left")
    for column in ("", "part", "median ms", "95 % ms", "tiles named right", "peak MB"):
        table.add_column(column, justify="right" if "m" in column[:3] or "95" in column else "left")
    for name, result in (("hupai", together(ours)), ("mahjong-detector", together(theirs) if theirs else None)):
        if result is None:
            continue
        times = {part: [ms[part] for ms in result["ms"]] for part in result["ms"][0]}
        if len(times) > 1:
            for part, values in times.items():
                table.add_row(name, part, f"{np.median(values):.1f}", f"{np.percentile(values, 95):.1f}")
        whole = [sum(ms.values()) for ms in result["ms"]]
        named = right(result["codes"], truth) if truth else str(len(result["codes"]))
        cells = (f"{np.median(whole):.1f}", f"{np.percentile(whole, 95):.1f}", named, f"{result['peak_mb']:.0f}")
        table.add_row(name, "whole", *cells, style="bold")
    Console(width=110).print(table)


if __name__ == "__main__":
    main()
