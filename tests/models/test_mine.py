from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

torch = pytest.importorskip("torch")

from models.training import mine, staged  # noqa: E402
from models.training.faces.glyphs import GlyphBank  # noqa: E402
from models.training.nets import HEADS, Locator  # noqa: E402


class Sees(Locator):
    """A locator that finds one square of 40 px around the middle of cell (10, 20)."""

    def forward(self, image: torch.Tensor) -> torch.Tensor:
        maps = torch.full((len(image), 11, image.shape[2] // 4, image.shape[3] // 4), -9.0)
        maps[:, 1:9] = 0.0
        maps[:, 0, 10, 20] = 9.0
        maps[:, 3] = -(50**0.5)  # a = sqrt(50) at an angle whose fourth power is real and negative: an upright square
        return maps


def test_what_lies_on_no_tile_is_a_mistake() -> None:
    picture = np.zeros((128, 128, 3), np.uint8)
    tile = np.array([[[62, 22], [102, 22], [102, 62], [62, 62]]], np.float32)
    (patch,) = mine.mistakes(Sees(8).eval(), picture, np.zeros((0, 4, 2), np.float32), 0.5)
    assert (patch.shape, patch.dtype) == ((64, 64, 3), np.uint8)
    assert mine.mistakes(Sees(8).eval(), picture, tile, 0.5) == []
    assert len(mine.mistakes(Sees(8).eval(), picture, tile + 60, 0.5)) == 1


def test_each_mistake_is_no_tile_of_any_family(tmp_path: Path) -> None:
    scenes = tmp_path / "scenes"
    scenes.mkdir()
    np.save(scenes / "pictures.npy", np.random.default_rng(1).integers(0, 255, (2, 128, 128, 3)).astype(np.uint8))
    np.save(scenes / "quads.npy", np.zeros((0, 13), np.float32))
    torch.manual_seed(1)
    net = Locator(8)
    torch.save({"width": 8, "mean": net.state_dict()}, tmp_path / "weights.pt")
    arguments = [
        "--scenes",
        scenes,
        "--weights",
        tmp_path / "weights.pt",
        "--out",
        tmp_path / "out",
        "--least",
        "0.001",
    ]
    done = CliRunner().invoke(mine.main, [str(a) for a in arguments])
    assert done.exit_code == 0, done.output
    pictures, labels = (np.load(tmp_path / "out" / f"{name}.npy") for name in ("pictures", "labels"))
    found = int(done.output.split()[0])
    assert found > 0
    assert (len(pictures), len(labels)) == (found * len(HEADS), found * len(HEADS))
    assert [row[1] for row in labels[: len(HEADS)]] == [size - 1 for size in HEADS.values()]


def test_a_staged_hand_lies_as_it_was_told(bank: GlyphBank) -> None:
    shot = staged.stage("xiangqi", [["rR", "rR", "rP"], ["bC", None, "bC"]], "rP", bank, 2, (400, 300))
    assert [piece.code for piece in shot.pieces] == ["rR", "rR", "rP", "rP", "bC", None, "bC"]
    assert shot.picture.shape == (300, 400, 3)
