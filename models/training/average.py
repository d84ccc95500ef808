"""The mean of the weights of runs that went on from one another, often better than each of them.

    python -m models.training.average training/a/checkpoint.pt training/b/checkpoint.pt --out training/a_b.pt

After Wortsman et al., "Model soups: averaging weights of multiple fine-tuned models", 2022. Whether it is better is
told by the validation pictures. What is written can be exported, and trained on from with `--start`.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click
import torch


def averaged(paths: Sequence[Path]) -> dict[str, Any]:
    """The mean of the averaged weights in checkpoints, and their width. Raises ValueError where these differ."""
    states = [torch.load(path) for path in paths]
    if len({state["width"] for state in states}) != 1:
        raise ValueError("the runs are of nets of different widths")
    mean = {}
    for name, first in states[0]["mean"].items():
        parts = [state["mean"][name] for state in states]
        mean[name] = torch.stack(parts).mean(dim=0) if first.is_floating_point() else parts[-1]
    return {"mean": mean, "width": states[0]["width"], "step": max(state["step"] for state in states)}


@click.command()
@click.argument("weights", type=click.Path(path_type=Path, exists=True), nargs=-1, required=True)
@click.option("--out", type=click.Path(path_type=Path), required=True)
def main(weights: tuple[Path, ...], out: Path) -> None:
    """Write the mean of the WEIGHTS, checkpoints of runs."""
    try:
        state = averaged(weights)
    except ValueError as error:
        raise click.ClickException(str(error)) from error
    torch.save(state, out)
    click.echo(f"{out}: the mean of {len(weights)} runs")


if __name__ == "__main__":
    main()
