"""Loading a network that its card describes."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import models
from models import ModelError


def write_network(folder: Path, name: str = "tiny") -> bytes:
    """A network of two outputs, the sum of each row and the negated numbers, with its card; gives the file's bytes."""
    onnx = pytest.importorskip("onnx")
    helper, kinds = onnx.helper, onnx.TensorProto
    graph = helper.make_graph(
        [
            helper.make_node("Cast", ["numbers"], ["floats"], to=kinds.FLOAT),
            helper.make_node("ReduceSum", ["floats", "axis"], ["total"], keepdims=0),
            helper.make_node("Neg", ["floats"], ["negated"]),
        ],
        name,
        [helper.make_tensor_value_info("numbers", kinds.UINT8, ["N", 3])],
        [
            helper.make_tensor_value_info("total", kinds.FLOAT, ["N"]),
            helper.make_tensor_value_info("negated", kinds.FLOAT, ["N", 3]),
        ],
        [helper.make_tensor("axis", kinds.INT64, [1], [1])],
    )
    network = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    onnx.checker.check_model(network)
    data: bytes = network.SerializeToString()
    card: dict[str, Any] = {
        "name": name,
        "sha256": hashlib.sha256(data).hexdigest(),
        "input": {"name": "numbers", "dtype": "uint8", "shape": ["N", 3]},
        "outputs": [
            {"name": "negated", "dtype": "float32", "shape": ["N", 3]},
            {"name": "total", "dtype": "float32", "shape": ["N"]},
        ],
    }
    (folder / f"{name}.onnx").write_bytes(data)
    (folder / f"{name}.json").write_text(json.dumps(card), encoding="utf-8")
    return data


@pytest.mark.parametrize("rows", [1, 4])
def test_outputs_come_by_name(tmp_path: Path, rows: int) -> None:
    write_network(tmp_path)
    model = models.load("tiny", threads=1, folder=tmp_path)
    feed = np.arange(3 * rows, dtype=np.uint8).reshape(rows, 3)
    outputs = model.run(feed)
    assert set(outputs) == {"total", "negated"}
    assert outputs["total"].dtype == np.float32
    assert outputs["total"].tolist() == feed.sum(axis=1).tolist()
    assert np.array_equal(outputs["negated"], -feed.astype(np.float32))
    assert model.card["name"] == model.name == "tiny"


def test_a_file_that_is_not_the_cards_is_refused(tmp_path: Path) -> None:
    data = bytearray(write_network(tmp_path))
    data[len(data) // 2] ^= 1
    (tmp_path / "tiny.onnx").write_bytes(data)
    for see in (models.load, models.check):
        with pytest.raises(ModelError, match=r"^model 'tiny' does not match its card; install hupai again$"):
            see("tiny", folder=tmp_path)


def test_whole_files_are_seen_to_be_so(tmp_path: Path) -> None:
    write_network(tmp_path)
    models.check("tiny", tmp_path)


@pytest.mark.parametrize("missing", ["tiny.onnx", "tiny.json"])
def test_a_missing_file_is_named(tmp_path: Path, missing: str) -> None:
    write_network(tmp_path)
    (tmp_path / missing).unlink()
    for see in (models.load, models.check):
        with pytest.raises(ModelError, match=missing) as raised:
            see("tiny", folder=tmp_path)
        assert "\n" not in str(raised.value)


def test_an_unknown_name_is_refused() -> None:
    with pytest.raises(ModelError, match=r"^model 'nobody' is missing: .*nobody\.json; install hupai again$"):
        models.load("nobody")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[1, 2]",
        "null",
        "\udcff",
        "[" * 100_000,
        '{"input": {"name": "numbers"}, "outputs": [{"name": "total"}]}',
        '{"sha256": "0", "outputs": [{"name": "total"}]}',
        '{"sha256": "0", "input": "numbers", "outputs": [{"name": "total"}]}',
        '{"sha256": 0, "input": {"name": "numbers"}, "outputs": [{"name": "total"}]}',
        '{"sha256": "0", "input": {"name": "numbers"}, "outputs": [{"dtype": "float32"}]}',
        '{"sha256": "0", "input": {"name": "numbers"}, "outputs": []}',
        '{"sha256": "0", "input": {"name": "numbers"}, "outputs": null}',
    ],
)
def test_a_broken_card_is_said_so_in_one_line(tmp_path: Path, text: str) -> None:
    write_network(tmp_path)
    (tmp_path / "tiny.json").write_text(text, encoding="utf-8", errors="surrogateescape")
    with pytest.raises(ModelError, match=r"^the card of model 'tiny' is broken: .*tiny\.json .*; install hupai again$"):
        models.load("tiny", folder=tmp_path)


@pytest.mark.parametrize(
    ("key", "value"), [("input", {"name": "letters"}), ("outputs", [{"name": "total"}, {"name": "sum"}])]
)
def test_a_card_that_names_other_inputs_or_outputs_is_refused(tmp_path: Path, key: str, value: object) -> None:
    write_network(tmp_path)
    card = json.loads((tmp_path / "tiny.json").read_text(encoding="utf-8"))
    (tmp_path / "tiny.json").write_text(json.dumps({**card, key: value}), encoding="utf-8")
    with pytest.raises(ModelError, match=r"^model 'tiny' does not match its card; install hupai again$"):
        models.load("tiny", folder=tmp_path)


def test_a_file_that_cannot_be_opened_is_named(tmp_path: Path) -> None:
    write_network(tmp_path)
    (tmp_path / "tiny.json").unlink()
    (tmp_path / "tiny.json").mkdir()
    with pytest.raises(ModelError, match=r"^model 'tiny' cannot be read: .*tiny\.json \(is a directory\); "):
        models.load("tiny", folder=tmp_path)
