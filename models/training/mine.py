"""Collect what a locator takes for tiles and is none, as patches of "no tile" for the namer.

    python -m models.training.mine --scenes training/scenes --weights training/locator/checkpoint.pt --out training/x

Rendered scenes know every tile in them, so whatever else is found is a mistake to learn from. Written in the form of
`render patches`, each patch once for every family.
"""

from __future__ import annotations

from pathlib import Path

import click
import numpy as np
import torch
from numpy.typing import NDArray

from models.training.nets import HEADS, Locator
from models.training.render import cut, turned
from models.training.train_locator import Scenes, find, keep_best, overlap


def mistakes(
    net: Locator, picture: NDArray[np.uint8], truth: NDArray[np.float32], least: float
) -> list[NDArray[np.uint8]]:
    """The patches, (64, 64, 3) uint8 BGR, of finds in a picture that lie on none of its tiles' quads (n, 4, 2)."""
    image = torch.from_numpy(np.ascontiguousarray(picture.transpose(2, 0, 1)))[None]
    with torch.no_grad():
        quads, _ = keep_best(*find(net(image), least)[0])
    if not len(quads):
        return []
    clear = overlap(quads, truth).max(axis=1) < 0.1 if len(truth) else np.ones(len(quads), bool)
    return [cut(picture, turned(quad.astype(np.float64), False))[0] for quad in quads[clear]]


@click.command()
@click.option("--scenes", "folder", type=click.Path(path_type=Path, exists=True), required=True)
@click.option("--weights", type=click.Path(path_type=Path, exists=True), required=True)
@click.option("--out", type=click.Path(path_type=Path), required=True)
@click.option("--count", type=int, default=3000, show_default=True, help="How many scenes to look at.")
@click.option("--least", type=float, default=0.2, show_default=True)
def main(folder: Path, weights: Path, out: Path, count: int, least: float) -> None:
    """Look for mistakes in the first COUNT scenes."""
    state = torch.load(weights)
    net = Locator(state["width"])
    net.load_state_dict(state["mean"])
    net.eval()
    scenes = Scenes.load(folder)
    patches: list[NDArray[np.uint8]] = []
    for picture, rows in zip(scenes.pictures[:count], scenes.quads[:count], strict=True):
        patches += mistakes(net, np.asarray(picture), rows[:, :8].reshape(-1, 4, 2), least)
    families = len(HEADS)
    labels = [[family, size - 1, 0.0, 0.0] for _ in patches for family, size in enumerate(HEADS.values())]
    out.mkdir(parents=True, exist_ok=True)
    np.save(out / "pictures.npy", np.repeat(np.array(patches), families, axis=0))
    np.save(out / "labels.npy", np.array(labels, np.float32))
    click.echo(f"{len(patches)} mistakes in {count} scenes")


if __name__ == "__main__":
    main()
