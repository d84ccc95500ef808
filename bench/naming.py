"""How fast and how rightly single xiangqi pieces are named, beside a recogniser of printed text.

    python -m bench.naming CROPS [--runs 3] [--threads 2] [--beside PYTHON]

CROPS is a folder with index.csv (`file`, `label`), each file a picture of one piece. The locator finds the pieces, a
dozen side by side; both readers get the same cuts. PYTHON is the interpreter of an environment into which
`pip install rapidocr onnxruntime opencv-python-headless` has been run: its PP-OCRv6-small recogniser reads each piece
at twelve turns, and of all its characters only those on xiangqi pieces count. It tells no red from black, so that both
are judged by the kind of piece alone; hupai also by kind and side. Both read in turns, in processes of their own, on as
many threads. hupai names the pieces fourteen at a time, as they lie in a photo, the cutting of patches included.
"""

from __future__ import annotations

import csv
import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, Final

import click
import cv2
import numpy as np
from rich.console import Console
from rich.table import Table

import models
from vision.frames import Frame, Pixels
from vision.locate import locate
from vision.network import Network

# Pictures side by side for the locator: columns and rows, the side of each, and the room around it, in pixels.
COLUMNS: Final = 4
ROWS: Final = 3
CELL: Final = 160
ROOM: Final = 24
# The side of a cut in pixels, and how much wider than the piece it is.
CUT: Final = 100
WIDER: Final = 1.25

OURS = """
import json, sys, time
from pathlib import Path
import cv2, numpy as np
import models
from scoring.tiles import Family
from vision.frames import Frame
from vision.name import name_tiles
from vision.reading import Quad
pictures, threads, wider, TOGETHER = np.load(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3]), 14
cv2.setNumThreads(threads)
namer = models.load("namer", threads=threads, folder=Path(sys.argv[4]))
answers = []
for start in range(0, len(pictures), TOGETHER):
    part = pictures[start : start + TOGETHER]
    side = part.shape[1]
    half = side / wider / 2
    quads = []
    for x in side * (np.arange(len(part)) + 0.5):
        corners = ((x - half, side / 2 - half), (x + half, side / 2 - half))
        quads.append(Quad((*corners, *((x, side - y) for x, y in corners[::-1])), 1.0, True, "up"))
    frame = Frame(np.hstack(part), side * len(part), side)
    if start == 0:
        name_tiles(frame, quads, namer, Family.XIANGQI)
    begun, busy = time.perf_counter(), time.process_time()
    tiles = name_tiles(frame, quads, namer, Family.XIANGQI)
    each = [1000 * value / len(part) for value in (time.perf_counter() - begun, time.process_time() - busy)]
    answers += [(tile.code, *each) for tile in tiles]
print(json.dumps(answers))
"""

THEIRS = """
import json, sys, time
from pathlib import Path
import cv2, numpy as np, onnxruntime, rapidocr
pictures, threads, wider, SIDE, TURNS = np.load(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3]), 48, 12
KINDS = {"K": "帥將帅将", "A": "士仕", "E": "象相", "R": "車俥车", "H": "馬傌马", "C": "炮砲包", "P": "兵卒"}
cv2.setNumThreads(threads)
options = onnxruntime.SessionOptions()
options.intra_op_num_threads = threads
(file,) = (Path(rapidocr.__file__).parent / "models").glob("PP-OCRv6_rec_small.onnx")
net = onnxruntime.InferenceSession(str(file), options, providers=["CPUExecutionProvider"])
# The characters of the network's outputs: the blank of the sequence comes first.
characters = ["", *net.get_modelmeta().custom_metadata_map["character"].splitlines()]
places = [(kind, characters.index(c)) for kind, group in KINDS.items() for c in group if c in characters]

def read(image):
    # The turned piece without most of its rim, as high as the network reads.
    width = image.shape[1]
    scale = SIDE / (0.75 * width / wider)
    batch = np.empty((TURNS, 3, SIDE, SIDE), np.float32)
    for turn in range(TURNS):
        matrix = cv2.getRotationMatrix2D((width / 2, width / 2), 360 / TURNS * turn, scale)
        matrix[:, 2] += SIDE / 2 - width / 2
        turned = cv2.warpAffine(image, matrix, (SIDE, SIDE), flags=cv2.INTER_AREA, borderMode=cv2.BORDER_REPLICATE)
        batch[turn] = turned.transpose(2, 0, 1) / 127.5 - 1
    shares = net.run(None, {net.get_inputs()[0].name: batch})[0].max(axis=(0, 1))
    return max(places, key=lambda place: shares[place[1]])[0]

answers = []
for image in pictures:
    if not answers:
        read(image)
    begun, busy = time.perf_counter(), time.process_time()
    kind = read(image)
    answers.append((kind, 1000 * (time.perf_counter() - begun), 1000 * (time.process_time() - busy)))
print(json.dumps(answers))
"""


def cuts(files: list[Path], locator: Network) -> Pixels:
    """Each piece with a little around it, N×CUT×CUT×3 uint8 BGR; all of its picture where the locator finds none."""
    found = []
    for start in range(0, len(files), COLUMNS * ROWS):
        part = files[start : start + COLUMNS * ROWS]
        pictures = [np.asarray(cv2.imread(str(file)), np.uint8) for file in part]
        table = np.zeros((ROWS * CELL, COLUMNS * CELL, 3), np.uint8)
        inner = CELL - 2 * ROOM
        for n, picture in enumerate(pictures):
            small = cv2.resize(picture, (inner, inner), interpolation=cv2.INTER_AREA)
            y, x = CELL * (n // COLUMNS), CELL * (n % COLUMNS)
            table[y : y + CELL, x : x + CELL] = cv2.copyMakeBorder(small, ROOM, ROOM, ROOM, ROOM, cv2.BORDER_REPLICATE)
        quads = locate(Frame(table, table.shape[1], table.shape[0]), locator)
        boxes = np.array([[np.min(quad.corners, axis=0), np.max(quad.corners, axis=0)] for quad in quads]).reshape(
            -1, 2, 2
        )
        for n, picture in enumerate(pictures):
            corner = np.array([CELL * (n % COLUMNS), CELL * (n // COLUMNS)]) + ROOM
            middle = corner + inner / 2
            own = [box for box in boxes if np.linalg.norm(box.mean(axis=0) - middle) < inner / 4]
            low, high = own[0] if own else np.array([corner, corner + inner])
            scale = np.array(picture.shape[1::-1]) / inner
            centre, size = ((low + high) / 2 - corner) * scale, (high - low) * scale * WIDER
            stretch = CUT / size
            matrix = np.array([[stretch[0], 0, 0], [0, stretch[1], 0]])
            matrix[:, 2] = CUT / 2 - centre * stretch
            # Smoothed first where it is made much smaller, so that nothing aliases.
            soft = cv2.GaussianBlur(picture, (0, 0), max(0.1, 0.4 / float(stretch.min())))
            found.append(cv2.warpAffine(soft, matrix, (CUT, CUT), borderMode=cv2.BORDER_REPLICATE))
    return np.array(found, np.uint8)


def named(python: str, code: str, pictures: Path, threads: int, trained: Path) -> list[tuple[str | None, float, float]]:
    """What a process of its own says of naming all pieces once: code or kind, wall and processor ms of each."""
    command = [python, "-c", code, str(pictures), str(threads), str(WIDER), str(trained)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise click.ClickException(f"{python}: {done.stderr.strip().splitlines()[-1]}")
    return [(said, wall, busy) for said, wall, busy in json.loads(done.stdout)]


@click.command()
@click.argument("crops", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--runs", default=3, show_default=True)
@click.option("--threads", default=2, show_default=True)
@click.option("--beside", metavar="PYTHON", help="An interpreter that has rapidocr.")
@click.option("--models", "trained", type=click.Path(exists=True, path_type=Path), default=Path("models"))
def main(crops: Path, runs: int, threads: int, beside: str | None, trained: Path) -> None:
    """Print how long a piece takes and how many are named right."""
    index = crops / "index.csv"
    if not index.exists():
        raise click.ClickException(f"{crops}: there is no index.csv")
    rows = list(csv.DictReader(index.read_text(encoding="utf-8").splitlines()))
    readers = {"hupai": (sys.executable, OURS)}
    if beside:
        readers["PP-OCRv6-small, 12 turns"] = (beside, THEIRS)
    results: dict[str, list[list[Any]]] = {name: [] for name in readers}
    with tempfile.TemporaryDirectory() as folder:
        pictures = Path(folder) / "pictures.npy"
        np.save(pictures, cuts([crops / row["file"] for row in rows], models.load("locator", folder=trained)))
        for _ in range(runs):
            for name, (python, code) in readers.items():
                results[name].append(named(python, code, pictures, threads, trained))
    table = Table(title=f"{len(rows)} pieces, {threads} threads", title_justify="left")
    for column in ("", "ms a piece", "processor ms", "kinds right", "kinds and sides right"):
        table.add_column(column, justify="right" if column else "left")
    medians = {}
    for name, rounds in results.items():
        wall, busy = (float(np.median([answer[part] for one in rounds for answer in one])) for part in (1, 2))
        medians[name] = (wall, busy)
        pairs = [(answer[0], row["label"]) for answer, row in zip(rounds[0], rows, strict=True)]
        kinds = sum(said is not None and said[-1] == label[-1] for said, label in pairs)
        whole = f"{sum(said == label for said, label in pairs)}" if name == "hupai" else "–"
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
