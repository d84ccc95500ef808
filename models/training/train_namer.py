"""Train the namer on patches.

    python -m models.training.train_namer --patches training/patches --steps 8000 --out training/namer

With `--episodes` (`render episodes`) the embedding also learns to tell apart the kinds of sets that nobody has named.
Seeded; a checkpoint is written every few hundred steps and a run that was stopped goes on from it.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import click
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional as F

from models.patches import ENLARGE, PATCH
from models.training import augment
from models.training.nets import HEADS, Namer
from models.training.run import Run

FAMILIES = tuple(HEADS)
SPOILT = 0.25  # of the patches are blurred, dark or under a coloured lamp
STARTS = np.concatenate([[0], np.cumsum(list(HEADS.values()))])


@dataclass(frozen=True)
class Patches:
    """Pictures (N, 64, 64, 3) uint8 BGR; labels (N, 4): family, kind, cosine and sine of the turn (0, 0: unknown)."""

    pictures: NDArray[np.uint8]
    labels: NDArray[np.float32]

    @classmethod
    def load(cls, folder: Path) -> Patches:
        """What `render patches` wrote in `folder`. Raises FileNotFoundError where there is nothing."""
        return cls(np.load(folder / "pictures.npy", mmap_mode="r"), np.load(folder / "labels.npy"))


@dataclass(frozen=True)
class Episodes:
    """Pictures (N, 64, 64, 3) uint8 BGR; labels (N, 2): the set, rising, and the kind within it."""

    pictures: NDArray[np.uint8]
    labels: NDArray[np.int32]
    starts: NDArray[np.intp]

    @classmethod
    def load(cls, folder: Path) -> Episodes:
        """What `render episodes` wrote in `folder`. Raises FileNotFoundError where there is nothing."""
        labels = np.load(folder / "labels.npy")
        bounds = np.flatnonzero(np.diff(labels[:, 0], prepend=-1, append=-1))
        return cls(np.load(folder / "pictures.npy", mmap_mode="r"), labels, bounds)

    def draw(self, sets: int, most: int, rng: np.random.Generator) -> tuple[NDArray[np.uint8], NDArray[np.int32]]:
        """At most `most` pictures of each of some sets, and their labels."""
        rows = []
        for k in rng.choice(len(self.starts) - 1, sets, replace=False):
            first, last = self.starts[k], self.starts[k + 1]
            rows.append(first + np.sort(rng.permutation(last - first)[:most]))
        chosen = np.concatenate(rows)
        return np.asarray(self.pictures[chosen]), self.labels[chosen]


def turned(images: Tensor, labels: Tensor, rng: np.random.Generator) -> tuple[Tensor, Tensor]:
    """Each (N, 3, 64, 64) image turned by a random number of quarters clockwise, its label's angle with it."""
    quarters = torch.from_numpy(rng.integers(0, 4, len(images)))
    images, labels = images.clone(), labels.clone()
    for k in (1, 2, 3):
        chosen = quarters == k
        images[chosen] = torch.rot90(images[chosen], -k, (2, 3))
        c, s = labels[chosen, 2], labels[chosen, 3]
        for _ in range(k):
            c, s = -s, c
        labels[chosen, 2], labels[chosen, 3] = c, s
    return images, labels


def toned(images: Tensor, rng: np.random.Generator) -> Tensor:
    """Other light: gain and offset of each channel, contrast, now and then a covered corner; uint8 in and out."""
    n = len(images)

    def draw(low: float, high: float, channels: int) -> Tensor:
        return torch.from_numpy(rng.uniform(low, high, (n, channels, 1, 1)).astype(np.float32))

    x = images.float()
    mean = x.mean(dim=(1, 2, 3), keepdim=True)
    x = (x - mean) * draw(0.75, 1.2, 1) + mean * draw(0.75, 1.25, 1) * draw(0.92, 1.08, 3) + draw(-8, 8, 3)
    for i in np.flatnonzero(rng.random(n) < 0.1):
        h, w = rng.integers(6, 24, 2)
        y, z = rng.integers(0, 64 - h), rng.integers(0, 64 - w)
        x[i, :, y : y + h, z : z + w] = float(rng.uniform(0, 255))
    return x.clamp(0, 255).to(torch.uint8)


def spoilt(pictures: NDArray[np.uint8], rng: np.random.Generator) -> NDArray[np.uint8]:
    """The (N, 64, 64, 3) pictures, some of them blurred, dark or under a coloured lamp."""
    pictures = pictures.copy()
    for i in np.flatnonzero(rng.random(len(pictures)) < SPOILT):
        pictures[i] = augment.spoil(pictures[i], PATCH / ENLARGE, rng)
    return pictures


def family_mask(families: Tensor) -> Tensor:
    """(N, 108) float32: 0 for the logits of the tile's own family, a large negative number elsewhere."""
    mask = torch.full((len(families), int(STARTS[-1])), -1e4)
    for f in range(len(FAMILIES)):
        mask[families == f, STARTS[f] : STARTS[f + 1]] = 0.0
    return mask


def loss(out: tuple[Tensor, Tensor, Tensor], labels: Tensor, smooth: float) -> tuple[Tensor, dict[str, float]]:
    """Cross-entropy within the family, and the squared error of the turn where it is known and means something."""
    _, logits, up = out
    families, kinds = labels[:, 0].long(), labels[:, 1].long()
    total = torch.zeros(())
    right = 0
    for f in range(len(FAMILIES)):
        chosen = families == f
        if chosen.any():
            own = logits[chosen, STARTS[f] : STARTS[f + 1]]
            total = total + F.cross_entropy(own, kinds[chosen], label_smoothing=smooth, reduction="sum")
            right += int((own.argmax(1) == kinds[chosen]).sum())
    total = total / len(labels)
    sizes = torch.tensor([HEADS[n] - 1 for n in FAMILIES])
    known = (labels[:, 2:].abs().sum(1) > 0) & (kinds < sizes[families]) & (families != FAMILIES.index("paigow"))
    turn = F.mse_loss(up[known], labels[known, 2:]) if known.any() else torch.zeros(())
    return total + 0.3 * turn, {
        "name": float(total.detach()),
        "turn": float(turn.detach()),
        "right": right / len(labels),
    }


def contrast(unit: Tensor, labels: Tensor, heat: float = 0.1) -> Tensor:
    """How badly (N, 128) unit embeddings pick out the others of their kind among those of their set.

    Supervised contrastive loss (Khosla et al. 2020, arXiv:2004.11362, eq. 2) with every set by itself; `labels` (N, 2)
    are set and kind, `heat` the temperature. Pictures without a second one of their kind only serve as others.
    """
    alone = torch.eye(len(unit), dtype=torch.bool)
    together = (labels[:, None, 0] == labels[None, :, 0]) & ~alone
    alike = together & (labels[:, None, 1] == labels[None, :, 1])
    close = (unit @ unit.T / heat).masked_fill(~together, -1e4)
    share = close - torch.logsumexp(close, dim=1, keepdim=True)
    count = alike.sum(1)
    return -((share * alike).sum(1)[count > 0] / count[count > 0]).mean()


@torch.no_grad()
def one_shot(net: Namer, held: Episodes) -> float:
    """Share of the pictures that lie nearest, among the first ones of each kind of their set, to that of their own."""
    net.eval()
    right = seen = 0
    for first, last in zip(held.starts, held.starts[1:], strict=False):
        unit = net(torch.from_numpy(np.ascontiguousarray(held.pictures[first:last].transpose(0, 3, 1, 2))))[0].numpy()
        kinds = held.labels[first:last, 1]
        enrolled = np.unique(kinds, return_index=True)[1]
        rest = np.setdiff1d(np.arange(last - first), enrolled)
        nearest = kinds[enrolled][np.argmax(unit[rest] @ unit[enrolled].T, axis=1)]
        right += int((nearest == kinds[rest]).sum())
        seen += len(rest)
    return right / max(1, seen)


@torch.no_grad()
def validate(net: Namer, patches: Patches) -> dict[str, float]:
    """Share named rightly, per family."""
    net.eval()
    right = np.zeros(len(FAMILIES))
    seen = np.zeros(len(FAMILIES))
    for first in range(0, len(patches.labels), 256):
        images = torch.from_numpy(np.ascontiguousarray(patches.pictures[first : first + 256].transpose(0, 3, 1, 2)))
        labels = patches.labels[first : first + 256]
        logits = net(images)[1] + family_mask(torch.from_numpy(labels[:, 0]).long())
        found = logits.argmax(1).numpy() - STARTS[labels[:, 0].astype(int)]
        for f in range(len(FAMILIES)):
            mine = labels[:, 0] == f
            seen[f] += mine.sum()
            right[f] += (found[mine] == labels[mine, 1]).sum()
    return {name: round(float(r / max(1, s)), 4) for name, r, s in zip(FAMILIES, right, seen, strict=True)}


@click.command()
@click.option("--patches", "folders", type=click.Path(path_type=Path), multiple=True, required=True)
@click.option("--share", "shares", type=float, multiple=True, help="How often each folder is drawn from.")
@click.option("--validation", type=click.Path(path_type=Path), default=None)
@click.option("--episodes", type=click.Path(path_type=Path), default=None, help="Sets without names to learn from.")
@click.option("--held-episodes", type=click.Path(path_type=Path), default=None, help="Such sets to validate with.")
@click.option("--sets", type=int, default=6, show_default=True, help="Of the episodes, in each step.")
@click.option("--out", type=click.Path(path_type=Path), required=True)
@click.option("--steps", type=int, default=8000, show_default=True)
@click.option("--batch", type=int, default=192, show_default=True)
@click.option("--rate", type=float, default=3e-3, show_default=True)
@click.option("--width", type=int, default=24, show_default=True)
@click.option("--start", type=click.Path(path_type=Path), default=None, help="Weights to begin from.")
@click.option("--seed", type=int, default=1, show_default=True)
def main(
    folders: tuple[Path, ...],
    shares: tuple[float, ...],
    validation: Path | None,
    episodes: Path | None,
    held_episodes: Path | None,
    sets: int,
    out: Path,
    steps: int,
    batch: int,
    rate: float,
    width: int,
    start: Path | None,
    seed: int,
) -> None:
    """Train for STEPS steps; go on from OUT/checkpoint.pt where there is one."""
    torch.manual_seed(seed)
    run = Run(Namer(width), width, out, steps=steps, rate=rate, decay=5e-4, start=start)
    sources = [Patches.load(f) for f in folders]
    weights = np.array(shares or (1.0,) * len(folders))
    counts = np.floor(weights / weights.sum() * batch).astype(int)
    counts[0] += batch - counts.sum()
    rng = np.random.default_rng([seed, run.step])
    held = Patches.load(validation) if validation else None
    unnamed = Episodes.load(episodes) if episodes else None
    held_unnamed = Episodes.load(held_episodes) if held_episodes else None

    def checked(net: Namer) -> dict[str, float]:
        named = validate(net, held) if held else {}
        return named | ({"one_shot": one_shot(net, held_unnamed)} if held_unnamed else {})

    while run.step < steps:
        chosen = [np.sort(rng.integers(0, len(s.labels), n)) for s, n in zip(sources, counts, strict=True)]
        pictures = np.concatenate([s.pictures[i] for s, i in zip(sources, chosen, strict=True)])
        rows = np.concatenate([s.labels[i] for s, i in zip(sources, chosen, strict=True)])
        of_set = np.zeros((0, 2), np.int32)
        if unnamed:
            more, of_set = unnamed.draw(sets, 20, rng)
            pictures = np.concatenate([pictures, more])
            rows = np.concatenate([rows, np.zeros((len(more), 4), np.float32)])
        images = torch.from_numpy(np.ascontiguousarray(spoilt(pictures, rng).transpose(0, 3, 1, 2)))
        images, labels = turned(toned(images, rng), torch.from_numpy(rows), rng)
        run.net.train()
        with torch.autocast("cpu", torch.bfloat16):
            unit, logits, up = run.net(images.contiguous(memory_format=torch.channels_last))
        unit = unit.float()
        total, parts = loss((unit[:batch], logits[:batch].float(), up[:batch].float()), labels[:batch], 0.05)
        if len(of_set):
            apart = contrast(unit[batch:], torch.from_numpy(of_set))
            total, parts = total + 0.5 * apart, parts | {"apart": float(apart.detach())}
        run.learn(total, parts, len(pictures), checked if held or held_unnamed else None)


if __name__ == "__main__":
    main()
