"""How fast and how rightly single xiangqi pieces are named, beside a recogniser of printed text.

    python -m bench.naming CROPS [--runs 3] [--threads 2] [--beside PYTHON]

CROPS is a folder with index.csv (`file`, `label`), each file one piece that fills its picture. PYTHON is the
interpreter of an environment into which `pip install rapidocr onnxruntime opencv-python-headless` has been run: its
PP-OCRv6-small recogniser then reads the same pieces, each at twelve turns, and of all its characters only those on
xiangqi pieces count. It tells no red from black, so that both are judged by the kind of piece alone; hupai, which does
not know that either, also by kind and side. Both read in turns, in processes of their own, on as many threads.

hupai names the pieces fourteen at a time, as they lie in a photo, the cutting of patches included.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import click
import numpy as np
from rich.console import Console
from rich.table import Table

OURS = """
import csv, json, sys, time
from pathlib import Path
import cv2, numpy as np
import models
from models.patches import ENLARGE
from scoring.tiles import Family
from vision.frames import Frame
from vision.locate import RIM
from vision.name import name_tiles
from vision.reading import Quad
index, threads, SIDE, TOGETHER = Path(sys.argv[1]), int(sys.argv[2]), 100, 14
cv2.setNumThreads(threads)
namer = models.load("namer", threads=threads)
rows = list(csv.DictReader(index.open(encoding="utf-8")))
answers = []
for start in range(0, len(rows), TOGETHER):
    files = [cv2.imread(str(index.parent / row["file"])) for row in rows[start : start + TOGETHER]]
    image = np.hstack([cv2.resize(file, (SIDE, SIDE), interpolation=cv2.INTER_AREA) for file in files])
    half = SIDE / 2 * RIM / ENLARGE
    quads = []
    for number in range(len(files)):
        x, y = SIDE * (number + 0.5), SIDE / 2
        corners = ((x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half))
        quads.append(Quad(corners, 1.0, True, "up"))
    frame = Frame(image, image.shape[1], image.shape[0])
    if start == 0:
        name_tiles(frame, quads, namer, Family.XIANGQI)
    begun, busy = time.perf_counter(), time.process_time()
    tiles = name_tiles(frame, quads, namer, Family.XIANGQI)
    each = [1000 * value / len(files) for value in (time.perf_counter() - begun, time.process_time() - busy)]
    answers += [(tile.code, *each) for tile in tiles]
print(json.dumps({"answers": answers, "truth": [row["label"] for row in rows]}))
"""

THEIRS = """
import csv, json, sys, time
from pathlib import Path
import cv2, numpy as np, onnxruntime, rapidocr
index, threads, SIDE, TURNS = Path(sys.argv[1]), int(sys.argv[2]), 48, 12
KINDS = {"K": "帥將帅将", "A": "士仕", "E": "象相", "R": "車俥车", "H": "馬傌马", "C": "炮砲包", "P": "兵卒"}
cv2.setNumThreads(threads)
options = onnxruntime.SessionOptions()
options.intra_op_num_threads = threads
(file,) = (Path(rapidocr.__file__).parent / "models").glob("PP-OCRv6_rec_small.onnx")
net = onnxruntime.InferenceSession(str(file), options, providers=["CPUExecutionProvider"])
# The characters of the network's outputs: the blank of the sequence comes first.
characters = ["", *net.get_modelmeta().custom_metadata_map["character"].splitlines()]
places = [(kind, characters.index(c)) for kind, group in KINDS.items() for c in group if c in characters]
rows = list(csv.DictReader(index.open(encoding="utf-8")))

def read(image):
    height, width = image.shape[:2]
    # The turned piece without the most of its rim, as high as the network reads.
    scale = SIDE / (CUT * min(height, width))
    batch = np.empty((TURNS, 3, SIDE, SIDE), np.float32)
    for turn in range(TURNS):
        matrix = cv2.getRotationMatrix2D((width / 2, height / 2), 360 / TURNS * turn, scale)
        matrix[:, 2] += SIDE / 2 - np.array([width, height]) / 2
        turned = cv2.warpAffine(image, matrix, (SIDE, SIDE), flags=cv2.INTER_AREA, borderMode=cv2.BORDER_REPLICATE)
        batch[turn] = turned.transpose(2, 0, 1) / 127.5 - 1
    shares = net.run(None, {net.get_inputs()[0].name: batch})[0].max(axis=(0, 1))
    return max(places, key=lambda place: shares[place[1]])[0]

CUT = 0.75
answers = []
for row in rows:
    image = cv2.imread(str(index.parent / row["file"]))
    image = cv2.resize(image, (100, 100), interpolation=cv2.INTER_AREA)
    if not answers:
        read(image)
    begun, busy = time.perf_counter(), time.process_time()
    kind = read(image)
    answers.append((kind, 1000 * (time.perf_counter() - begun), 1000 * (time.process_time() - busy)))
print(json.dumps({"answers": answers, "truth": [row["label"] for row in rows]}))
"""


def named(python: str, code: str, index: Path, threads: int) -> dict[str, Any]:
    """What a process of its own says of naming all pieces once: code or kind, wall and processor ms of each."""
    done = subprocess.run([python, "-c", code, str(index), str(threads)], capture_output=True, text=True, check=False)
    if done.returncode:
        raise click.ClickException(f"{python}: {done.stderr.strip().splitlines()[-1]}")
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


@click.command()
@click.argument("crops", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--runs", default=3, show_default=True)
@click.option("--threads", default=2, show_default=True)
@click.option("--beside", metavar="PYTHON", help="An interpreter that has rapidocr.")
def main(crops: Path, runs: int, threads: int, beside: str | None) -> None:
    """Print how long a piece takes and how many are named right."""
    index = crops / "index.csv"
    if not index.exists():
        raise click.ClickException(f"{crops}: there is no index.csv")
    readers = {"hupai": (sys.executable, OURS)}
    if beside:
        readers["PP-OCRv6-small, 12 turns"] = (beside, THEIRS)
    results: dict[str, list[dict[str, Any]]] = {name: [] for name in readers}
    for _ in range(runs):
        for name, (python, code) in readers.items():
            results[name].append(named(python, code, index, threads))
    table = Table(title=f"{len(results['hupai'][0]['truth'])} pieces, {threads} threads", title_justify="left")
    for column in ("", "ms a piece", "processor ms", "kinds right", "kinds and sides right"):
        table.add_column(column, justify="right" if column else "left")
    medians = {}
    for name, rounds in results.items():
        wall, busy = (float(np.median([[a[part] for a in round_["answers"]] for round_ in rounds])) for part in (1, 2))
        medians[name] = (wall, busy)
        pairs = list(zip([a[0] for a in rounds[0]["answers"]], rounds[0]["truth"], strict=True))
        kinds = sum(said is not None and said[-1] == truth[-1] for said, truth in pairs)
        whole = f"{sum(said == truth for said, truth in pairs)}" if name == "hupai" else "–"
        table.add_row(name, f"{wall:.2f}", f"{busy:.2f}", f"{kinds} of {len(pairs)}", whole)
    console = Console(width=110)
    console.print(table)
    if beside:
        (ours, our_work), (theirs, their_work) = medians.values()
        console.print(f"{theirs / ours:.0f} times as fast; {their_work / our_work:.0f} times by processor time")
    else:
        console.print("without --beside nothing is compared; see the head of bench/naming.py for the environment")


if __name__ == "__main__":
    main()
