"""One training run: a net, its running mean, the optimiser and its plan, taken up again from a checkpoint."""

from __future__ import annotations

import copy
import json
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Generic, TypeVar

import click
import torch
from torch import Tensor, nn

from models.training.nets import Residual

REPORT = 250  # steps between two checkpoints, each with a line of what was lost
VALIDATE = 1000

Net = TypeVar("Net", bound=nn.Module)


def grown_from(net: nn.Module, weights: Mapping[str, Tensor]) -> None:
    """Give `net` the weights of one that may lack some of its residual blocks, which then do nothing yet.

    Raises ValueError where the weights are of a net that differs in anything else.
    """
    added = tuple(
        f"{name}."
        for name, block in net.named_modules()
        if isinstance(block, Residual)
        and isinstance(block.short, nn.Identity)
        and not any(key.startswith(f"{name}.") for key in weights)
    )
    own = net.state_dict()
    if weights.keys() != {key for key in own if not key.startswith(added)}:
        raise ValueError("the weights to begin from are of another net")
    net.load_state_dict({**own, **weights})


class Run(Generic[Net]):
    """Steps through a training; `net` is what learns, `mean` its running mean, which is what is kept.

    Goes on from `out`/checkpoint.pt where there is one, else begins from the weights `start` or afresh. `width` is kept
    in the checkpoint, so that the net can be made again. The rate follows one cycle over `steps`.
    """

    def __init__(
        self, net: Net, width: int, out: Path, *, steps: int, rate: float, decay: float, start: Path | None
    ) -> None:
        out.mkdir(parents=True, exist_ok=True)
        self.net = net.to(memory_format=torch.channels_last)  # type: ignore[call-overload]
        if start:
            grown_from(net, torch.load(start)["mean"])
        self.mean = copy.deepcopy(net)
        self.width, self.steps, self.step = width, steps, 0
        self.optimiser = torch.optim.AdamW(net.parameters(), lr=rate, weight_decay=decay)
        self.plan = torch.optim.lr_scheduler.OneCycleLR(
            self.optimiser, rate, total_steps=steps, pct_start=0.05, div_factor=10
        )
        self.saved = out / "checkpoint.pt"
        if self.saved.exists():
            state = torch.load(self.saved)
            self.net.load_state_dict(state["net"])
            self.mean.load_state_dict(state["mean"])
            self.optimiser.load_state_dict(state["optimiser"])
            # STEPS may be more than last time
            self.plan.load_state_dict({"last_epoch": state["plan"]["last_epoch"]})
            self.step = state["step"]
        self._forget()

    def _forget(self) -> None:
        self._began, self._seen, self._since = time.monotonic(), 0, 0
        self._sums: dict[str, float] = {}

    def learn(
        self, loss: Tensor, parts: Mapping[str, float], seen: int, validate: Callable[[Net], Mapping[str, float]] | None
    ) -> None:
        """One step down from a loss over `seen` pictures.

        Now and then a checkpoint is written and a line printed: the mean of each of `parts`, and less often what
        `validate` says of the running mean.
        """
        self.optimiser.zero_grad(set_to_none=True)
        loss.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(self.net.parameters(), 5.0)
        self.optimiser.step()
        self.plan.step()
        self.step += 1
        with torch.no_grad():
            pace = min(0.998, (1 + self.step) / (10 + self.step))
            for a, b in zip(self.mean.state_dict().values(), self.net.state_dict().values(), strict=True):
                a.lerp_(b, 1 - pace) if a.is_floating_point() else a.copy_(b)
        self._seen += seen
        self._since += 1
        self._sums = {k: self._sums.get(k, 0.0) + v for k, v in parts.items()}
        last = self.step == self.steps
        if self.step % REPORT == 0 or last:
            self._save()
            line: dict[str, float] = {"step": self.step}
            line["per_s"] = round(self._seen / (time.monotonic() - self._began), 1)
            line |= {k: round(v / self._since, 4) for k, v in self._sums.items()}
            if validate and (self.step % VALIDATE == 0 or last):
                line |= {k: round(v, 4) for k, v in validate(self.mean).items()}
            click.echo(json.dumps(line))
            self._forget()

    def _save(self) -> None:
        state = {"net": self.net.state_dict(), "mean": self.mean.state_dict(), "optimiser": self.optimiser.state_dict()}
        torch.save({**state, "plan": self.plan.state_dict(), "step": self.step, "width": self.width}, self.saved)
