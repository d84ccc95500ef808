"""The mean of the weights of several runs."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

torch = pytest.importorskip("torch", reason="torch is not installed (pip install -e .[train])")

from models.training.average import main  # noqa: E402  (torch is optional)
from models.training.nets import Namer  # noqa: E402


def checkpoint(path: Path, width: int, value: float, step: int) -> Path:
    net = Namer(width)
    with torch.no_grad():
        for weight in net.parameters():
            weight.fill_(value)
    torch.save({"mean": net.state_dict(), "width": width, "step": step}, path)
    return path


def test_weights_are_the_mean_of_all_runs(tmp_path: Path) -> None:
    runs = [checkpoint(tmp_path / f"{n}.pt", 4, value, n) for n, value in enumerate((1.0, 2.0, 6.0))]
    out = tmp_path / "mean.pt"
    result = CliRunner().invoke(main, [*map(str, runs), "--out", str(out)])
    assert result.exit_code == 0
    state = torch.load(out)
    assert (state["width"], state["step"]) == (4, 2)
    net = Namer(4)
    net.load_state_dict(state["mean"])
    assert all(bool((weight == 3.0).all()) for weight in net.parameters())


def test_runs_of_other_nets_are_refused(tmp_path: Path) -> None:
    runs = [checkpoint(tmp_path / f"{width}.pt", width, 1.0, 1) for width in (4, 8)]
    result = CliRunner().invoke(main, [*map(str, runs), "--out", str(tmp_path / "mean.pt")])
    assert result.exit_code == 1
    assert "different widths" in result.output
    assert not (tmp_path / "mean.pt").exists()
