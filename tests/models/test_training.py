"""The whole way of the networks at a tiny size: rendered, trained, taken up again, exported, loaded, read with."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

import models

torch = pytest.importorskip("torch")
onnx = pytest.importorskip("onnx")

from models.patches import PATCH  # noqa: E402
from models.training import export, render, restore, train_locator, train_namer  # noqa: E402  (torch is optional)
from models.training.faces.glyphs import GlyphBank  # noqa: E402
from models.training.nets import HEADS, STRIDE, Locator, LocatorGraph, Namer, NamerGraph  # noqa: E402
from models.training.piece_sets import CODES, FAMILIES  # noqa: E402
from models.training.tables import photograph  # noqa: E402
from models.training.train_locator import Scenes  # noqa: E402
from models.training.train_namer import STARTS, Patches, family_mask  # noqa: E402
from vision.read import Reader  # noqa: E402

WIDTH = 8


@pytest.fixture(autouse=True, scope="module")
def one_torch_thread() -> Iterator[None]:
    """Networks this small are quickest on one thread."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory, bank_folder: Path) -> Path:
    """A folder with two rendered scenes, a dozen patches and as many of sets without names."""
    folder = tmp_path_factory.mktemp("data")
    for kind, count in (("scenes", "2"), ("patches", "12"), ("episodes", "60")):
        arguments = [
            kind,
            "--count",
            count,
            "--out",
            str(folder / kind),
            "--glyphs",
            str(bank_folder),
            "--workers",
            "1",
        ]
        result = CliRunner().invoke(render.main, arguments, catch_exceptions=False)
        assert result.exit_code == 0, result.output
    return folder


def train_on(data: Path, name: str, out: Path, steps: int) -> dict[str, float]:
    """Train one of the networks through its command line; gives what it says at the last step."""
    unnamed = str(data / "episodes")
    kind, main, more = {
        "locator": ("scenes", train_locator.main, ["--side", "96", "--loaders", "0"]),
        "namer": ("patches", train_namer.main, ["--episodes", unnamed, "--held-episodes", unnamed, "--sets", "1"]),
    }[name]
    folder = str(data / kind)
    arguments = [f"--{kind}", folder, "--validation", folder, "--out", str(out), "--steps", str(steps)]
    arguments += ["--batch", "4", "--width", str(WIDTH), *more]
    result = CliRunner().invoke(main, arguments, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    lines = result.output.splitlines()
    said: dict[str, float] = json.loads(lines[-1]) if lines else {}
    return said


def test_from_pictures_to_a_reading(data: Path, tmp_path: Path, bank: GlyphBank) -> None:
    for name in ("locator", "namer"):
        out = tmp_path / name
        first = train_on(data, name, out, 3)
        assert first["step"] == 3
        before = torch.load(out / "checkpoint.pt")
        assert train_on(data, name, out, 3) == {}  # nothing left to do
        assert train_on(data, name, out, 5)["step"] == 5
        after = torch.load(out / "checkpoint.pt")
        assert (before["step"], after["step"], after["width"]) == (3, 5, WIDTH)
        momenta = [state["optimiser"]["state"][0]["step"] for state in (before, after)]
        assert [int(m) for m in momenta] == [3, 5]  # the optimiser went on, it did not start anew

        notes = tmp_path / "notes.json"
        notes.write_text('{"data": "rendered"}', encoding="utf-8")
        arguments = [name, "--weights", str(out / "checkpoint.pt"), "--notes", str(notes), "--folder", str(tmp_path)]
        result = CliRunner().invoke(export.main, arguments, catch_exceptions=False)
        assert result.exit_code == 0, result.output

    locator, namer = (models.load(name, threads=1, folder=tmp_path) for name in ("locator", "namer"))
    assert locator.card["data"] == namer.card["data"] == "rendered"
    assert locator.card["bytes"] == (tmp_path / "locator.onnx").stat().st_size

    patches = np.load(data / "patches" / "pictures.npy")
    named = namer.run(patches)
    assert {key: array.shape for key, array in named.items()} == {
        "embedding": (len(patches), 128),
        **{family: (len(patches), size) for family, size in HEADS.items()},
        "up": (len(patches), 2),
    }
    graph = NamerGraph(namer_of(tmp_path)).eval()
    with torch.no_grad():
        wanted = dict(zip(named, graph(torch.from_numpy(patches)), strict=True))
    for key, array in named.items():
        assert np.abs(array - wanted[key].numpy()).max() < 0.05, key  # the file keeps half precision

    picture = photograph("mahjong", bank, np.random.default_rng(1), side=(200, 160)).picture
    for size in ((160, 192), (128, 320)):
        feed = np.ascontiguousarray(cv2.resize(picture, size[::-1])[None])
        found = locator.run(feed)
        cells = (size[0] // STRIDE, size[1] // STRIDE)
        assert [found[key].shape for key in ("heat", "corners", "kind")] == [
            (1, *cells),
            (1, 8, *cells),
            (1, 2, *cells),
        ]
        with torch.no_grad():
            heat, corners, kind = LocatorGraph(locator_of(tmp_path)).eval()(torch.from_numpy(feed))
        assert np.abs(found["kind"] - kind.numpy()).max() < 0.05
        assert np.abs(found["heat"].max() - heat.numpy().max()) < 0.05
        assert np.isfinite(found["corners"]).all()
        assert corners.shape == found["corners"].shape

    jpeg = cv2.imencode(".jpg", picture)[1].tobytes()
    reading = Reader(locator, namer).read(jpeg, family="mahjong", name="table.jpg")
    assert (reading.photo, reading.width, reading.height, reading.family) == ("table.jpg", 200, 160, "mahjong")
    assert set(reading.ms) == {"decode", "detect", "classify", "assemble"}
    assert all(ms >= 0 for ms in reading.ms.values())
    assert all(tile.code is None or tile.code in CODES["mahjong"] for tile in reading.tiles)
    said = json.loads(json.dumps(reading.to_json()))
    assert len(said["tiles"]) == len(reading.tiles) == len(reading.groups)


@pytest.mark.parametrize(("name", "kind", "exact"), [("locator", "scenes", 4), ("namer", "patches", 0)])
def test_in_eight_bits_networks_say_nearly_the_same(
    data: Path, tmp_path: Path, name: str, kind: str, exact: int
) -> None:
    torch.manual_seed(1)
    net = Locator(WIDTH) if name == "locator" else Namer(WIDTH)
    weights = tmp_path / "checkpoint.pt"
    torch.save({"width": WIDTH, "mean": net.state_dict()}, weights)
    for folder, more in (("whole", []), ("small", ["--calibrate", str(data / kind)])):
        (tmp_path / folder).mkdir()
        arguments = [name, "--weights", str(weights), "--folder", str(tmp_path / folder), *more]
        result = CliRunner().invoke(export.main, arguments, catch_exceptions=False)
        assert result.exit_code == 0, result.output
    whole, small = (models.load(name, threads=1, folder=tmp_path / folder) for folder in ("whole", "small"))
    assert "8 bits" in small.card["precision"]
    assert "8 bits" not in whole.card["precision"]

    nodes = onnx.load(tmp_path / "small" / f"{name}.onnx").graph.node
    shortened = {output for node in nodes if node.op_type == "DequantizeLinear" for output in node.output}
    kept = [node.name for node in nodes if node.op_type == "Conv" and node.input[0] not in shortened]
    assert len(kept) == exact
    assert all(place.startswith(("/net/stem/", "/net/head/")) for place in kept)

    pictures = np.load(data / kind / "pictures.npy")[:1]
    for key, wanted in whole.run(pictures).items():
        if key != "heat":  # which of two neighbours is the peak is a matter of the last digit
            off = np.abs(small.run(pictures)[key] - wanted).mean()
            assert off < 0.1 * np.abs(wanted).mean() + 0.01, key


@pytest.mark.parametrize(("name", "kind"), [("locator", "scenes"), ("namer", "patches")])
def test_a_network_that_ships_gives_back_weights_to_train_on_from(
    data: Path, tmp_path: Path, name: str, kind: str
) -> None:
    torch.manual_seed(2)
    net = Locator(WIDTH) if name == "locator" else Namer(WIDTH)
    for module in net.modules():
        if isinstance(module, torch.nn.BatchNorm2d | torch.nn.BatchNorm1d):  # as after some training
            torch.nn.init.uniform_(module.weight, 0.5, 1.5)
            torch.nn.init.normal_(module.bias)
            torch.nn.init.normal_(module.get_buffer("running_mean"), std=0.1)
            torch.nn.init.uniform_(module.get_buffer("running_var"), 0.5, 2.0)
    before, after = tmp_path / "before.pt", tmp_path / "after.pt"
    torch.save({"width": WIDTH, "mean": net.state_dict()}, before)
    model, shown = str(tmp_path / f"{name}.onnx"), str(data / kind / "pictures.npy")
    for main, arguments in (
        (export.main, [name, "--weights", str(before), "--folder", str(tmp_path), "--calibrate", str(data / kind)]),
        (restore.main, [name, "--model", model, "--pictures", shown, "--out", str(after)]),
    ):
        result = CliRunner().invoke(main, arguments, catch_exceptions=False)
        assert result.exit_code == 0, result.output

    state = torch.load(after)
    assert (state["width"], state["step"]) == (WIDTH, 0)
    again = Locator(WIDTH) if name == "locator" else Namer(WIDTH)
    again.load_state_dict(state["mean"])
    pictures = torch.from_numpy(np.load(data / kind / "pictures.npy")[:8].transpose(0, 3, 1, 2).copy())
    with torch.no_grad():
        wanted, got = ((one.eval()(pictures),) if name == "locator" else one.eval()(pictures) for one in (net, again))
        for a, b in zip(wanted, got, strict=True):
            assert (a - b).abs().mean() < 0.05 * a.abs().mean()
    # What is normalised has the mean and the spread that the pictures give it.
    layer, norm = (again.stem[1][0], again.stem[1][1]) if name == "locator" else (again.body[0][0], again.body[0][1])
    assert layer.weight.detach().flatten(1).norm(dim=1).numpy() == pytest.approx(1.0, abs=1e-4)
    seen = list[torch.Tensor]()
    layer.register_forward_hook(lambda _module, _inputs, output: seen.append(output))
    every = torch.from_numpy(np.load(data / kind / "pictures.npy").transpose(0, 3, 1, 2).copy())
    with torch.no_grad():
        again(every)
    channels = seen[0].transpose(0, 1).flatten(1)
    assert norm.running_mean.numpy() == pytest.approx(channels.mean(dim=1).numpy(), abs=1e-3)
    assert norm.running_var.numpy() == pytest.approx(channels.var(dim=1).numpy(), rel=0.02, abs=1e-4)


def test_weights_of_another_network_are_refused(data: Path, tmp_path: Path) -> None:
    pictures = str(data / "patches" / "pictures.npy")
    arguments = ["locator", "--model", "models/namer.onnx", "--pictures", pictures, "--out", str(tmp_path / "x.pt")]
    result = CliRunner().invoke(restore.main, arguments)
    assert result.exit_code == 1
    assert "is not the locator" in result.output
    assert not (tmp_path / "x.pt").exists()


def namer_of(folder: Path) -> Namer:
    """The namer that was exported, before its weights were halved."""
    namer = Namer(WIDTH)
    namer.load_state_dict(torch.load(folder / "namer" / "checkpoint.pt")["mean"])
    return namer


def locator_of(folder: Path) -> Locator:
    """The same for the locator."""
    locator = Locator(WIDTH)
    locator.load_state_dict(torch.load(folder / "locator" / "checkpoint.pt")["mean"])
    return locator


def test_a_locator_learns_two_scenes_by_heart(data: Path) -> None:
    torch.manual_seed(1)
    scenes = Scenes.load(data / "scenes")
    rng = np.random.default_rng(1)
    views = [train_locator.view(np.asarray(scenes.pictures[i]), scenes.quads[i], 160, rng) for i in (0, 1)]
    image = torch.from_numpy(np.stack([picture.transpose(2, 0, 1) for picture, _, _ in views]))
    aims = zip(*(train_locator.targets(rows, 160, shown) for _, rows, shown in views), strict=True)
    heat, values = (torch.from_numpy(np.stack(part)) for part in aims)
    net = Locator(WIDTH)
    optimiser = torch.optim.AdamW(net.parameters(), lr=5e-3)
    course = []
    for _ in range(80):
        total, parts = train_locator.loss(net(image), heat, values)
        optimiser.zero_grad()
        total.backward()
        optimiser.step()
        course.append(float(total.detach()))
    assert set(parts) == {"centre", "shape", "kind"}
    assert np.isfinite(course).all()
    assert np.mean(course[-5:]) < 0.5 * np.mean(course[:5])


def test_a_namer_learns_a_dozen_patches_by_heart(data: Path) -> None:
    torch.manual_seed(1)
    patches = Patches.load(data / "patches")
    images = torch.from_numpy(np.ascontiguousarray(patches.pictures.transpose(0, 3, 1, 2)))
    labels = torch.from_numpy(patches.labels)
    net = Namer(WIDTH)
    optimiser = torch.optim.AdamW(net.parameters(), lr=3e-3)
    course = []
    for _ in range(60):
        total, parts = train_namer.loss(net(images), labels, 0.05)
        optimiser.zero_grad()
        total.backward()
        optimiser.step()
        course.append(float(total.detach()))
    assert np.mean(course[-5:]) < 0.5 * course[0]
    assert parts["right"] > 0.8
    assert set(train_namer.validate(net, patches)) == set(FAMILIES)


def test_patches_and_their_angles_turn_together() -> None:
    images = torch.zeros((8, 3, PATCH, PATCH), dtype=torch.uint8)
    images[:, :, 0, PATCH // 2 :] = 200  # a mark right of the head
    labels = torch.tensor([[0.0, 0.0, 1.0, 0.0]]).repeat(8, 1)
    turned, out = train_namer.turned(images, labels, np.random.default_rng(0))
    marks = {
        (1, 0): (0, -1),
        (0, 1): (-1, -1),
        (-1, 0): (-1, 0),
        (0, -1): (0, 0),
    }  # where the mark's outer end comes to
    seen = set()
    for image, (_, _, cosine, sine) in zip(turned, out.tolist(), strict=True):
        turn = (round(cosine), round(sine))
        y, x = marks[turn]
        assert int(image[0, y, x]) == 200
        seen.add(turn)
    assert seen == set(marks)


def test_other_light_keeps_shape_and_range() -> None:
    images = torch.randint(0, 256, (16, 3, PATCH, PATCH), dtype=torch.uint8)
    toned = train_namer.toned(images, np.random.default_rng(0))
    assert toned.shape == images.shape
    assert toned.dtype == torch.uint8
    assert not torch.equal(toned, images)


def test_only_the_familys_own_names_are_open() -> None:
    mask = family_mask(torch.tensor([0, 3]))
    assert mask.shape == (2, int(STARTS[-1]))
    assert [int((row == 0).sum()) for row in mask] == [HEADS["xiangqi"], HEADS["mahjong"]]
    assert bool((mask[0, : STARTS[1]] == 0).all())
    assert bool((mask[1, STARTS[3] :] == 0).all())


def test_views_move_the_labels_with_the_picture(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(train_locator, "SPOILT", 0.0)
    picture = np.zeros((448, 448, 3), np.uint8)
    corners = np.array([[200, 190], [260, 190], [260, 270], [200, 270]], np.float32)
    cv2.fillPoly(picture, [corners.astype(np.int32)], (255, 255, 255))
    rows = np.array([[*corners.ravel(), 0, 1, 1, 1]], np.float32)
    rng = np.random.default_rng(3)
    kept = 0
    for _ in range(20):
        seen, out, shown = train_locator.view(picture, rows, 160, rng)
        assert seen.shape == (160, 160, 3)
        if not len(out):
            continue
        assert out[0, 10] == pytest.approx(1.0)  # what the view cuts away is not hidden
        quad = out[0, :8].reshape(4, 2)
        if train_locator.within(quad[None], *shown)[1] < 0.99:
            continue
        kept += 1
        x, y = quad.T
        assert float(np.dot(x, np.roll(y, -1)) - np.dot(y, np.roll(x, -1))) > 0  # clockwise, mirrored or not
        middle = quad.mean(axis=0)
        for px, py in np.round(middle + 0.8 * (quad - middle)).astype(int).tolist():
            assert seen[py, px].tolist() == [255, 255, 255]
    assert kept >= 3


WHOLE = np.array([[0, 0], [160, 160]], np.float32)


def test_some_views_are_pressed_flat(monkeypatch: pytest.MonkeyPatch) -> None:
    corners = np.array([[180, 180], [260, 180], [260, 260], [180, 260]], np.float32)
    rows = np.array([[*corners.ravel(), 0, 1, 1, 1]], np.float32)
    monkeypatch.setattr(train_locator, "STEEP", 1.0)
    rng = np.random.default_rng(2)
    ratios = []
    for _ in range(40):
        out = train_locator.view(np.zeros((448, 448, 3), np.uint8), rows, 320, rng)[1]
        if len(out):
            across, down = np.ptp(out[0, :8].reshape(4, 2), axis=0)
            ratios.append(min(across, down) / max(across, down))
    assert 0.49 < min(ratios) < 0.6
    assert max(ratios) > 0.9


def test_some_patches_are_spoilt_and_the_others_as_they_were(data: Path) -> None:
    pictures = np.asarray(Patches.load(data / "patches").pictures).repeat(5, axis=0)
    spoilt = train_namer.spoilt(pictures, np.random.default_rng(1))
    changed = (spoilt != pictures).any(axis=(1, 2, 3))
    assert 0.1 < changed.mean() < 0.5
    assert spoilt.shape == pictures.shape


def test_some_views_show_a_strip_and_what_lies_beyond_is_no_tile(monkeypatch: pytest.MonkeyPatch) -> None:
    picture = np.full((448, 448, 3), 200, np.uint8)
    x, y = np.meshgrid(np.arange(20, 420, 40), np.arange(20, 420, 40))
    corners = np.stack([x, y, x + 30, y, x + 30, y + 30, x, y + 30], axis=-1).reshape(-1, 8)
    rows = np.concatenate([corners, np.tile([0, 1, 1, 1], (len(corners), 1))], axis=1).astype(np.float32)
    monkeypatch.setattr(train_locator, "STRIPS", 1.0)
    monkeypatch.setattr(train_locator, "SPOILT", 0.0)
    rng = np.random.default_rng(5)
    for _ in range(12):
        seen, out, shown = train_locator.view(picture, rows, 160, rng)
        low, high = np.round(shown).astype(int)
        assert min(high - low) < 0.81 * 160
        beyond = np.ones((160, 160), bool)
        beyond[low[1] : high[1], low[0] : high[0]] = False
        assert len(np.unique(seen[beyond].reshape(-1, 3), axis=0)) == 1
        inside = seen[low[1] + 1 : high[1] - 1, low[0] + 1 : high[0] - 1]
        assert (inside == 200).all()
        assert (train_locator.within(out[:, :8].reshape(-1, 4, 2), *shown)[1] > 0.03).all()


def test_a_tile_that_the_edge_cuts_is_marked_where_it_can_be_seen() -> None:
    cut = [60, -30, 100, -30, 100, 14, 60, 14]  # a third of it lies in the picture
    gone = [120, -40, 150, -40, 150, 9, 120, 9]  # less than a quarter
    rows = np.array([[*cut, 0, 0, 1.0, 1], [*gone, 0, 0, 1.0, 1]], np.float32)
    heat, values = train_locator.targets(rows, 160, WHOLE)
    y, x = 7 // STRIDE, 80 // STRIDE
    assert np.argwhere(heat[0] == 1).tolist() == [[y, x]]
    offsets = values[:8, y, x].reshape(4, 2) * STRIDE + ((x + 0.5) * STRIDE, (y + 0.5) * STRIDE)
    assert offsets.ravel().tolist() == pytest.approx(cut)
    assert heat[1, 1, 135 // STRIDE] == 0  # a sliver neither counts nor harms


def test_what_a_scene_cuts_away_is_not_hidden() -> None:
    rows = np.array([[-30, 10, 30, 10, 30, 60, -30, 60, 0, 1, 0.4, 1]], np.float32)
    assert train_locator.uncut(rows, 448)[0, 10] == pytest.approx(0.8)


def test_targets_mark_the_middle_of_each_tile() -> None:
    tile = [40, 40, 70, 40, 70, 84, 40, 84]
    hidden = [100, 100, 130, 100, 130, 144, 100, 144]
    rows = np.array([[*tile, 0, 1, 1.0, 1], [*hidden, 0, 0, 0.3, 1]], np.float32)
    heat, values = train_locator.targets(rows, 160, WHOLE)
    assert heat.shape == (3, 40, 40)
    assert values.shape == (10, 40, 40)
    y, x = 62 // STRIDE, 55 // STRIDE
    assert heat[0, y, x] == heat[1, y, x] == heat[2, y, x] == 1
    assert int((heat[0] == 1).sum()) == 1
    offsets = values[:8, y, x].reshape(4, 2) * STRIDE + ((x + 0.5) * STRIDE, (y + 0.5) * STRIDE)
    assert offsets.ravel().tolist() == pytest.approx(tile)
    assert values[8:, y, x].tolist() == [0, 1]
    assert heat[1, 122 // STRIDE, 115 // STRIDE] == 0  # a tile mostly hidden neither counts nor harms
    assert heat[0, 122 // STRIDE, 115 // STRIDE] < 0.01


def test_of_quads_that_overlap_the_best_is_kept() -> None:
    quads = np.array([[[x, 0], [x + 20, 0], [x + 20, 20], [x, 20]] for x in (0, 3, 40)], np.float32)
    kept, scores = train_locator.keep_best(quads, np.array([0.5, 0.9, 0.7], np.float32))
    assert scores.tolist() == pytest.approx([0.9, 0.7])
    assert np.array_equal(kept, quads[[1, 2]])
    assert train_locator.overlap(quads, quads).diagonal().tolist() == pytest.approx([1, 1, 1])
    nothing = train_locator.keep_best(np.zeros((0, 4, 2), np.float32), np.zeros(0, np.float32))
    assert [len(part) for part in nothing] == [0, 0]


def test_a_batch_without_a_tile_has_a_loss() -> None:
    maps = torch.zeros((2, 11, 8, 8), requires_grad=True)
    heat = torch.zeros((2, 3, 8, 8))
    heat[:, 1] = 1.0
    total, parts = train_locator.loss(maps, heat, torch.zeros((2, 10, 8, 8)))
    total.backward()
    assert (parts["shape"], parts["kind"]) == (0.0, 0.0)
    assert parts["centre"] > 0
    assert torch.isfinite(total)
    assert torch.isfinite(maps.grad).all()


def test_a_kind_is_picked_out_among_those_of_its_set() -> None:
    corner = torch.eye(4)
    labels = torch.tensor([[1, 0], [1, 0], [1, 1], [1, 1], [2, 0], [2, 0], [2, 5]])
    apart = torch.stack([corner[i] for i in (0, 0, 1, 1, 0, 0, 1)])
    assert float(train_namer.contrast(apart, labels)) < 0.01  # another set's kinds may look the same
    mixed = torch.stack([corner[i] for i in (0, 1, 0, 1, 0, 1, 0)])
    assert float(train_namer.contrast(mixed, labels)) > 3


def test_one_shot_counts_what_lies_nearest_its_own_kind(data: Path) -> None:
    held = train_namer.Episodes.load(data / "episodes")
    share = train_namer.one_shot(Namer(WIDTH), held)
    assert 0.0 <= share <= 1.0
    same = train_namer.Episodes(
        np.repeat(held.pictures[:1], 4, 0), np.array([[3, 0], [3, 0], [3, 0], [3, 0]]), np.array([0, 4])
    )
    assert train_namer.one_shot(Namer(WIDTH), same) == 1.0
