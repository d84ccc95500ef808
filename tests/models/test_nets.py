"""The networks' geometry and what the shipped graphs give."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

torch = pytest.importorskip("torch")

from models.training.nets import (  # noqa: E402  (torch is optional)
    HEADS,
    STRIDE,
    Locator,
    LocatorGraph,
    Namer,
    NamerGraph,
    quad_to_shape,
    shape_to_quad,
)
from models.training.piece_sets import CODES  # noqa: E402
from models.training.run import grown_from  # noqa: E402

Quad = NDArray[np.float32]


def quad(x: float, y: float, width: float, height: float, angle: float, pull: list[float]) -> Quad:
    """A rectangle turned clockwise, its corners then pulled by up to a sixth of its short side: always convex."""
    c, s = math.cos(angle), math.sin(angle)
    corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * (width / 2, height / 2)
    turned = corners @ np.array([[c, s], [-s, c]]) + (x, y)
    return (turned + np.array(pull).reshape(4, 2) * min(width, height) / 6).astype(np.float32)


place = st.floats(-300, 300, width=32)
length = st.floats(6, 200, width=32)
quads = st.builds(
    quad, place, place, length, length, st.floats(-math.pi, math.pi), st.lists(st.floats(-1, 1), min_size=8, max_size=8)
)
upright = quad(30, 20, 40, 40, 0, [0.0] * 8)
diamond = quad(0, 0, 40, 40, math.pi / 4, [0.0] * 8)


def there_and_back(corners: Quad) -> Quad:
    shape = quad_to_shape(torch.from_numpy(corners)[None])
    back: Quad = shape_to_quad(shape)[0].reshape(4, 2).numpy()
    return back


@settings(deadline=None)  # the cores may be busy
@given(quads)
@example(upright)
@example(diamond)
def test_a_quad_comes_back_from_its_shape(corners: Quad) -> None:
    back = there_and_back(corners)
    apart = [np.abs(np.roll(back, k, axis=0) - corners).max() for k in range(4)]
    assert min(apart) < 1e-3 * float(np.ptp(corners, axis=0).max()) + 1e-3


@settings(deadline=None)  # the cores may be busy
@given(quads, st.integers(1, 3))
@example(upright, 1)
@example(diamond, 1)
def test_a_shape_does_not_depend_on_the_first_corner(corners: Quad, start: int) -> None:
    one, two = (quad_to_shape(torch.from_numpy(np.roll(corners, k, axis=0))).numpy() for k in (0, start))
    assert np.abs(one - two).max() < 1e-3 * float(np.ptp(corners, axis=0).max()) + 1e-3


@settings(deadline=None)  # the cores may be busy
@given(quads)
def test_corners_come_back_clockwise(corners: Quad) -> None:
    x, y = there_and_back(corners).T.astype(np.float64)
    assert float(np.dot(x, np.roll(y, -1)) - np.dot(y, np.roll(x, -1))) > 0  # y runs down


def test_shapes_are_turned_back_wherever_they_lie() -> None:
    many = np.stack([quad(5 * k, 3 * k, 20 + k, 30, 0.1 * k, [0.0] * 8) for k in range(12)])
    shapes = quad_to_shape(torch.from_numpy(many)).T.reshape(1, 8, 3, 4)
    back = shape_to_quad(shapes)
    assert back.shape == (1, 8, 3, 4)
    for k in range(12):
        assert np.allclose(back[0, :, k // 4, k % 4].reshape(4, 2), there_and_back(many[k]), atol=1e-3)


@pytest.mark.parametrize("size", [(64, 64), (96, 160)])
def test_the_locator_graph_keeps_its_contract(size: tuple[int, int]) -> None:
    torch.manual_seed(1)
    graph = LocatorGraph(Locator(8)).eval()
    image = torch.randint(0, 256, (1, *size, 3), dtype=torch.uint8)
    with torch.no_grad():
        heat, corners, kind = graph(image)
        raw = torch.sigmoid(graph.net(image.permute(0, 3, 1, 2))[:, 0])
    cells = (size[0] // STRIDE, size[1] // STRIDE)
    assert heat.shape == (1, *cells)
    assert corners.shape == (1, 8, *cells)
    assert kind.shape == (1, 2, *cells)
    assert heat.dtype == corners.dtype == kind.dtype == torch.float32
    assert 0 <= float(heat.min()) <= float(heat.max()) <= 1
    assert 0 <= float(kind.min()) <= float(kind.max()) <= 1
    assert bool(torch.isfinite(corners).all())
    assert torch.equal(heat, raw)


def test_the_namer_graph_keeps_its_contract() -> None:
    torch.manual_seed(1)
    graph = NamerGraph(Namer(8)).eval()
    with torch.no_grad():
        embedding, *logits, up = graph(torch.randint(0, 256, (5, 64, 64, 3), dtype=torch.uint8))
    assert embedding.shape == (5, 128)
    assert torch.allclose(embedding.norm(dim=1), torch.ones(5), atol=1e-5)
    assert [tuple(part.shape) for part in logits] == [(5, size) for size in HEADS.values()]
    assert up.shape == (5, 2)
    assert torch.allclose(up.norm(dim=1), torch.ones(5), atol=1e-5)


def test_heads_have_a_place_for_every_kind_and_one_for_none() -> None:
    assert {family: len(codes) + 1 for family, codes in CODES.items()} == HEADS


def locator_of_fewer_blocks() -> Locator:
    torch.manual_seed(3)
    net = Locator(8)
    del net.s16[-1]
    del net.s32[-1]
    for parameter in net.parameters():
        torch.nn.init.normal_(parameter, std=0.2)
    return net.eval()


def test_a_net_that_grows_says_at_first_what_it_said() -> None:
    small, grown = locator_of_fewer_blocks(), Locator(8).eval()
    grown_from(grown, small.state_dict())
    image = torch.randint(0, 256, (1, 3, 64, 64), dtype=torch.uint8)
    with torch.no_grad():
        assert torch.equal(grown(image), small(image))
    grown.train()
    grown(image.repeat(2, 1, 1, 1)).sum().backward()
    for block in ("s16.3", "s32.2"):
        gradient = grown.get_parameter(f"{block}.body.1.1.weight").grad
        assert gradient is not None
        assert float(gradient.abs().max()) > 0


@pytest.mark.parametrize("name", ["stem.0.0.weight", "s16.0.body.0.0.weight", "s16.2.body.0.0.weight"])
def test_a_net_does_not_grow_from_another(name: str) -> None:
    weights = locator_of_fewer_blocks().state_dict()
    lacking = {key: value for key, value in weights.items() if key != name}
    for wrong in (lacking, {**weights, "more": weights[name]}):
        with pytest.raises(ValueError, match="of another net"):
            grown_from(Locator(8), wrong)


def test_whole_blocks_that_narrow_the_picture_cannot_lack() -> None:
    weights = locator_of_fewer_blocks().state_dict()
    with pytest.raises(ValueError, match="of another net"):
        grown_from(Locator(8), {key: value for key, value in weights.items() if not key.startswith("s16.0.")})
