"""Train the locator on rendered scenes.

    python -m models.training.train_locator --scenes training/scenes --steps 6000 --out training/locator

Seeded; a checkpoint is written every few hundred steps and a run that was stopped goes on from it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import click
import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional as F
from torch.utils.data import DataLoader, IterableDataset

from models.patches import shorter
from models.training import augment
from models.training.nets import STRIDE, Locator, quad_to_shape, shape_to_quad
from models.training.run import Run

Floats = NDArray[np.float32]

STRIPS = 0.15  # of the views show but a strip of the scene
STEEP = 0.25  # are pressed flat, as tables seen from lower down
SPOILT = 0.3  # are blurred, dark or under a coloured lamp
LEAST_SHARE = 0.25  # of a tile that lies in the picture: one that shows less is asked for nothing


@dataclass(frozen=True)
class Scenes:
    """Pictures (N, S, S, 3) uint8 BGR and, for each, its rows of `quads.npy` without the scene number, as `uncut`."""

    pictures: NDArray[np.uint8]
    quads: tuple[Floats, ...]

    @classmethod
    def load(cls, folder: Path) -> Scenes:
        """What `render scenes` wrote in `folder`. Raises FileNotFoundError where there is nothing."""
        pictures = np.load(folder / "pictures.npy", mmap_mode="r")
        rows = np.load(folder / "quads.npy")
        order = np.argsort(rows[:, 0], kind="stable")
        rows = rows[order]
        cuts = np.searchsorted(rows[:, 0], np.arange(len(pictures) + 1))
        tiles = uncut(rows[:, 1:], pictures.shape[1])
        return cls(pictures, tuple(tiles[a:b] for a, b in pairwise(cuts)))


def within(quads: Floats, low: Floats, high: Floats) -> tuple[Floats, Floats]:
    """What of quads (n, 4, 2) lies in the box from `low` to `high`, (2,) each: quads, and their shares of the area."""
    seen = np.asarray(np.clip(quads, low, high), np.float32)
    return seen, np.asarray(_areas(seen) / np.maximum(_areas(quads), 1e-6), np.float32)


def _areas(quads: Floats) -> Floats:
    across, along = quads[:, 2] - quads[:, 0], quads[:, 3] - quads[:, 1]
    return np.asarray(np.abs(across[:, 0] * along[:, 1] - across[:, 1] * along[:, 0]) / 2, np.float32)


def view(
    picture: NDArray[np.uint8], rows: Floats, side: int, rng: np.random.Generator
) -> tuple[NDArray[np.uint8], Floats, Floats]:
    """A random square view of a scene: scaled, pressed flat, turned by quarters, mirrored, cut, spoilt; rows follow.

    Last comes the box, (2, 2) px, of the view that shows the scene; a margin may lie around it.
    """
    span = picture.shape[0]
    scale = float(np.exp(rng.uniform(np.log(0.55), np.log(1.5))))
    flat = scale * (float(rng.uniform(0.5, 1.0)) if rng.random() < STEEP else 1.0)
    matrix = np.diag([scale, flat, 1.0])
    turn = np.linalg.matrix_power(np.array([[0, -1, 0], [1, 0, 0], [0, 0, 1.0]]), int(rng.integers(4)))
    mirror = bool(rng.random() < 0.5)
    flip = np.diag([-1.0 if mirror else 1.0, 1.0, 1.0])
    matrix = flip @ turn @ matrix
    corners = np.array([[0, 0, 1], [span, 0, 1], [span, span, 1], [0, span, 1]]) @ matrix.T
    low, size = corners[:, :2].min(axis=0), np.ptp(corners[:, :2], axis=0)
    room = size - side
    shift = -low - np.where(room > 0, rng.uniform(0, 1, 2) * room, room / 2 * rng.uniform(0, 2, 2))
    matrix[:2, 2] += shift
    if flat < 0.8:
        small = cv2.resize(picture, None, fx=min(1.0, scale), fy=flat, interpolation=cv2.INTER_AREA)
        picture = np.asarray(small, np.uint8)
        warp = matrix @ np.diag([span / picture.shape[1], span / picture.shape[0], 1.0])
    else:
        warp = matrix
    tone = [float(v) for v in rng.integers(0, 255, 3)]
    seen = cv2.warpAffine(picture, warp[:2], (side, side), flags=cv2.INTER_LINEAR, borderValue=tone)
    out = np.asarray(seen, np.uint8)
    if rng.random() < SPOILT:
        out = augment.spoil(out, _unit(rows) * float(np.sqrt(scale * flat)), rng)
    shown = np.asarray(np.clip(np.array([low, low + size]) + matrix[:2, 2], 0, side), np.float32)
    if rng.random() < STRIPS:
        _narrow(out, shown, tone, rng)
    if not len(rows):
        return out, rows, shown
    whole = rows[:, :8].reshape(-1, 4, 2)
    quads = (whole @ matrix[:2, :2].T + matrix[:2, 2]).astype(np.float32)
    if mirror:
        quads = quads[:, ::-1]
    rows = np.concatenate([quads.reshape(-1, 8), rows[:, 8:]], axis=1).astype(np.float32)
    return out, rows[rows[:, 10] * within(quads, *shown)[1] > 0.03], shown


def _unit(rows: Floats) -> float:
    """The side of a tile in px, as it is in most of the rows; of a scene without tiles that of some."""
    return float(np.median(np.sqrt(_areas(rows[:, :8].reshape(-1, 4, 2))))) if len(rows) else 40.0


def _narrow(seen: NDArray[np.uint8], shown: Floats, tone: list[float], rng: np.random.Generator) -> None:
    """Leave but a strip of what the box `shown` holds, as pictures are cut closely around a row; changes both."""
    axis = int(rng.integers(2))
    length = float(shown[1, axis] - shown[0, axis])
    keep = length * rng.uniform(0.2, 0.8)
    shown[0, axis] += rng.uniform(0, length - keep)
    shown[1, axis] = shown[0, axis] + keep
    low, high = (int(v) for v in np.round(shown[:, axis]))
    across = seen if axis else seen.swapaxes(0, 1)
    across[:low], across[high:] = tone, tone


def uncut(rows: Floats, span: int) -> Floats:
    """The rows of a scene of `span` px, their visible share that of the part within the picture."""
    rows = rows.copy()
    share = within(rows[:, :8].reshape(-1, 4, 2), np.zeros(2, np.float32), np.full(2, span, np.float32))[1]
    rows[:, 10] = np.minimum(1.0, rows[:, 10] / np.maximum(share, 0.02))
    return rows


def targets(rows: Floats, side: int, shown: Floats) -> tuple[Floats, Floats]:
    """What the net should say: (3, h, w) heat, its weight, the weight of the shape; (10, h, w) corners and kind.

    A tile that the edge of the picture, the box `shown`, cuts has its centre where its visible part has, and the
    corners of the whole tile.
    """
    n = side // STRIDE
    heat = np.zeros((3, n, n), np.float32)
    heat[1] = 1.0
    best = np.zeros((n, n), np.float32)
    values = np.zeros((10, n, n), np.float32)
    if not len(rows):
        return heat, values
    quads = rows[:, :8].reshape(-1, 4, 2)
    seen, share = within(quads, *shown)
    centres, short = seen.mean(axis=1), shorter(seen)
    for k in range(len(rows)):
        cx, cy = centres[k] / STRIDE
        sigma = max(0.65, float(short[k]) / STRIDE * 0.13)
        reach = int(3 * sigma) + 1
        x0, x1 = max(0, int(cx) - reach), min(n, int(cx) + reach + 1)
        y0, y1 = max(0, int(cy) - reach), min(n, int(cy) + reach + 1)
        if x0 >= x1 or y0 >= y1:
            continue
        xs, ys = np.arange(x0, x1) + 0.5, np.arange(y0, y1) + 0.5
        blob = np.exp(-((xs[None] - cx) ** 2 + (ys[:, None] - cy) ** 2) / (2 * sigma * sigma)).astype(np.float32)
        view_ = (slice(y0, y1), slice(x0, x1))
        if rows[k, 10] < 0.55 or share[k] < LEAST_SHARE or short[k] < 9:
            heat[1][view_] = np.where(blob > 0.1, 0.0, heat[1][view_])
            continue
        ix, iy = min(n - 1, max(0, int(cx))), min(n - 1, max(0, int(cy)))
        heat[0][view_] = np.maximum(heat[0][view_], blob)
        if 0 <= cx < n and 0 <= cy < n:
            heat[0, iy, ix], heat[1, iy, ix] = 1.0, 1.0
        mine = (blob > 0.4) & (blob > best[view_])
        gy, gx = np.nonzero(mine)
        gy, gx = gy + y0, gx + x0
        best[gy, gx] = blob[gy - y0, gx - x0]
        origin = np.stack([(gx + 0.5) * STRIDE, (gy + 0.5) * STRIDE], axis=1)
        values[:8, gy, gx] = ((quads[k][None] - origin[:, None]) / STRIDE).reshape(-1, 8).T
        values[8, gy, gx], values[9, gy, gx] = rows[k, 8], rows[k, 9]
        heat[2, gy, gx] = 1.0 if rows[k, 11] else 0.02
    return heat, values


class Views(IterableDataset[tuple[Tensor, Tensor, Tensor]]):
    """An endless, seeded stream of views: (3, side, side) uint8 image and the two arrays of `targets`."""

    def __init__(self, sources: list[tuple[Scenes, float]], side: int, seed: int) -> None:
        self.sources, self.side, self.seed = sources, side, seed

    def __iter__(self) -> Iterator[tuple[Tensor, Tensor, Tensor]]:
        cv2.setNumThreads(1)
        rng = np.random.default_rng(self.seed)
        weights = np.array([w for _, w in self.sources])
        weights = weights / weights.sum()
        while True:
            scenes = self.sources[int(rng.choice(len(weights), p=weights))][0]
            i = int(rng.integers(len(scenes.pictures)))
            image, rows, shown = view(np.asarray(scenes.pictures[i]), scenes.quads[i], self.side, rng)
            heat, values = targets(rows, self.side, shown)
            yield (
                torch.from_numpy(np.ascontiguousarray(image.transpose(2, 0, 1))),
                torch.from_numpy(heat),
                torch.from_numpy(values),
            )


def loss(maps: Tensor, heat: Tensor, values: Tensor) -> tuple[Tensor, dict[str, float]]:
    """Focal loss of the centres (alpha 2, beta 4), L1 of the shape over the tile's size, cross-entropy of the kinds."""
    logits, target, weight, shaped = maps[:, 0], heat[:, 0], heat[:, 1], heat[:, 2]
    p = torch.sigmoid(logits)
    hit = (target > 0.999).float()
    count = hit.sum().clamp_min(1.0)
    pull = -F.logsigmoid(logits) * (1 - p) ** 2 * hit
    push = -F.logsigmoid(-logits) * p**2 * (1 - target) ** 4 * (1 - hit) * weight
    centre = (pull.sum() + push.sum()) / count
    quads = values[:, :8].permute(0, 2, 3, 1).reshape(*values.shape[:1], *values.shape[2:], 4, 2)
    where = shaped > 0
    want = quad_to_shape(quads[where])
    got = maps[:, 1:9].permute(0, 2, 3, 1)[where]
    size = torch.hypot(want[:, 2], want[:, 3]).clamp_min(0.5)
    each = ((got - want).abs() / size[:, None]).mean(dim=1)
    shape = (each * shaped[where]).sum() / shaped[where].sum().clamp_min(1.0)
    said, truth = maps[:, 9:].permute(0, 2, 3, 1)[where], values[:, 8:].permute(0, 2, 3, 1)[where]
    kind = F.binary_cross_entropy_with_logits(said, truth, reduction="sum") / max(1, truth.numel())
    total = centre + 4.0 * shape + 0.5 * kind
    parts = {"centre": centre, "shape": shape, "kind": kind}
    return total, {name: float(part.detach()) for name, part in parts.items()}


def find(maps: Tensor, least: float) -> list[tuple[NDArray[np.float32], NDArray[np.float32]]]:
    """For each picture of raw maps: the quads (n, 4, 2) in px and their scores, peaks of at least `least`."""
    heat = torch.sigmoid(maps[:, 0])
    peaks = (heat >= F.max_pool2d(heat[:, None], 3, 1, 1)[:, 0]) & (heat > least)
    corners = shape_to_quad(maps[:, 1:9] * STRIDE)
    found = []
    for b in range(len(maps)):
        ys, xs = torch.nonzero(peaks[b], as_tuple=True)
        origin = torch.stack([(xs + 0.5) * STRIDE, (ys + 0.5) * STRIDE], dim=1)
        quads = corners[b, :, ys, xs].T.reshape(-1, 4, 2) + origin[:, None]
        found.append((quads.numpy(), heat[b, ys, xs].numpy()))
    return found


def overlap(a: Floats, b: Floats) -> Floats:
    """IoU of the bounding boxes of quads (n, 4, 2) and (m, 4, 2): (n, m)."""
    low = np.maximum(a.min(axis=1)[:, None], b.min(axis=1)[None])
    high = np.minimum(a.max(axis=1)[:, None], b.max(axis=1)[None])
    both = np.prod(np.clip(high - low, 0, None), axis=2)
    areas = [np.prod(np.ptp(q, axis=1), axis=1) for q in (a, b)]
    return np.asarray(both / np.maximum(areas[0][:, None] + areas[1][None] - both, 1e-6), np.float32)


def keep_best(quads: Floats, scores: Floats, most: float = 0.4) -> tuple[Floats, Floats]:
    """Greedy suppression of quads that overlap a better one by more than `most`."""
    order = np.argsort(-scores)
    kept: list[int] = []
    iou = overlap(quads, quads) if len(quads) else np.zeros((0, 0), np.float32)
    for i in order:
        if all(iou[i, j] <= most for j in kept):
            kept.append(int(i))
    return quads[kept], scores[kept]


@torch.no_grad()
def validate(net: Locator, scenes: Scenes, least: float = 0.35) -> dict[str, float]:
    """Recall and precision at IoU 0.5 over whole scenes, of what lies in the picture; tiles mostly hidden, mostly
    outside or tiny neither count nor harm."""
    net.eval()
    hits = wanted = found = good = 0
    for i in range(len(scenes.pictures)):
        image = torch.from_numpy(np.ascontiguousarray(scenes.pictures[i].transpose(2, 0, 1)))[None]
        quads, _ = keep_best(*find(net(image), least)[0])
        span = len(scenes.pictures[i])
        box = np.zeros(2, np.float32), np.full(2, span, np.float32)
        rows, quads = scenes.quads[i], within(quads, *box)[0]
        truth, share = within(rows[:, :8].reshape(-1, 4, 2), *box)
        firm = (rows[:, 10] > 0.7) & (share > LEAST_SHARE) & (np.ptp(truth, axis=1).min(axis=1, initial=span) >= 12)
        iou = overlap(truth, quads) if len(quads) and len(rows) else np.zeros((len(rows), len(quads)))
        taken = np.zeros(len(quads), bool)
        for t in np.argsort(~firm, kind="stable"):
            options = np.where(taken | (iou[t] < 0.5), -1, iou[t]) if len(quads) else np.zeros(0)
            if len(options) and options.max() >= 0.5:
                taken[int(options.argmax())] = True
                hits += int(firm[t])
        wanted += int(firm.sum())
        found += len(quads)
        good += int(taken.sum())
    return {"recall": hits / max(1, wanted), "precision": good / max(1, found)}


@click.command()
@click.option("--scenes", "folders", type=click.Path(path_type=Path), multiple=True, required=True)
@click.option("--share", "shares", type=float, multiple=True, help="How often each folder is drawn from.")
@click.option("--validation", type=click.Path(path_type=Path), default=None)
@click.option("--out", type=click.Path(path_type=Path), required=True)
@click.option("--steps", type=int, default=6000, show_default=True)
@click.option("--batch", type=int, default=16, show_default=True)
@click.option("--side", type=int, default=320, show_default=True)
@click.option("--rate", type=float, default=2e-3, show_default=True)
@click.option("--width", type=int, default=32, show_default=True)
@click.option("--start", type=click.Path(path_type=Path), default=None, help="Weights to begin from.")
@click.option("--seed", type=int, default=1, show_default=True)
@click.option("--loaders", type=int, default=1, show_default=True, help="0 prepares views in the training process.")
def main(
    folders: tuple[Path, ...],
    shares: tuple[float, ...],
    validation: Path | None,
    out: Path,
    steps: int,
    batch: int,
    side: int,
    rate: float,
    width: int,
    start: Path | None,
    seed: int,
    loaders: int,
) -> None:
    """Train for STEPS steps; go on from OUT/checkpoint.pt where there is one."""
    torch.manual_seed(seed)
    run = Run(Locator(width), width, out, steps=steps, rate=rate, decay=2e-4, start=start)
    sources = [(Scenes.load(f), w) for f, w in zip(folders, shares or (1.0,) * len(folders), strict=True)]
    held = Scenes.load(validation) if validation else None
    stream = DataLoader(Views(sources, side, seed * 1000 + run.step), batch_size=batch, num_workers=loaders)
    for image, heat, values in stream:
        if run.step >= steps:
            break
        run.net.train()
        with torch.autocast("cpu", torch.bfloat16):
            maps = run.net(image.contiguous(memory_format=torch.channels_last))
        total, parts = loss(maps.float(), heat, values)
        run.learn(total, parts, batch, (lambda net: validate(net, held)) if held else None)


if __name__ == "__main__":
    main()
