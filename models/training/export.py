"""Export trained weights to ONNX, half-precision in the file and single when run, with the card beside it.

python -m models.training.export locator --weights training/locator/checkpoint.pt --notes notes.json
"""

from __future__ import annotations

import hashlib
import json
import tempfile
import warnings
from pathlib import Path
from typing import Any

import click
import numpy as np
import onnx
import torch
from onnx import TensorProto, helper, numpy_helper
from torch import nn

from models.training.nets import HEADS, Locator, LocatorGraph, Namer, NamerGraph

INPUTS = {
    "locator": {"name": "image", "dtype": "uint8", "shape": [1, "H", "W", 3]},
    "namer": {"name": "patches", "dtype": "uint8", "shape": ["N", 64, 64, 3]},
}
OUTPUTS: dict[str, list[dict[str, Any]]] = {
    "locator": [
        {"name": "heat", "dtype": "float32", "shape": [1, "H/4", "W/4"]},
        {"name": "corners", "dtype": "float32", "shape": [1, 8, "H/4", "W/4"]},
        {"name": "kind", "dtype": "float32", "shape": [1, 2, "H/4", "W/4"]},
    ],
    "namer": [
        {"name": "embedding", "dtype": "float32", "shape": ["N", 128]},
        *({"name": name, "dtype": "float32", "shape": ["N", size]} for name, size in HEADS.items()),
        {"name": "up", "dtype": "float32", "shape": ["N", 2]},
    ],
}


def halved(graph: onnx.ModelProto) -> onnx.ModelProto:
    """The same graph with large weights kept as float16 and cast when it is loaded: half the file."""
    casts = []
    for tensor in list(graph.graph.initializer):
        array = numpy_helper.to_array(tensor)
        if array.dtype != np.float32 or array.size < 1024:
            continue
        small = numpy_helper.from_array(array.astype(np.float16), tensor.name + "_half")
        graph.graph.initializer.remove(tensor)
        graph.graph.initializer.append(small)
        casts.append(helper.make_node("Cast", [small.name], [tensor.name], to=TensorProto.FLOAT))
    nodes = list(graph.graph.node)
    del graph.graph.node[:]
    graph.graph.node.extend(casts + nodes)
    return graph


def build(name: str, weights: Path) -> onnx.ModelProto:
    """The ONNX graph of the averaged weights in a checkpoint."""
    state = torch.load(weights)
    net: nn.Module
    if name == "locator":
        locator = Locator(state["width"])
        locator.load_state_dict(state["mean"])
        net = LocatorGraph(locator.eval()).eval()
        example = torch.zeros((1, 320, 320, 3), dtype=torch.uint8)
        axes = {"image": {1: "H", 2: "W"}}
    else:
        namer = Namer(state["width"])
        namer.load_state_dict(state["mean"])
        net = NamerGraph(namer.eval()).eval()
        example = torch.zeros((2, 64, 64, 3), dtype=torch.uint8)
        axes = {"patches": {0: "N"}}
    outputs = [o["name"] for o in OUTPUTS[name]]
    for output in outputs:
        axes[output] = {1: "h", 2: "w"} if output == "heat" else {2: "h", 3: "w"} if name == "locator" else {0: "N"}
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        file = Path(folder) / "graph.onnx"
        warnings.simplefilter("ignore")  # the tracing exporter is old but makes the plainest graph
        torch.onnx.export(
            net,
            (example,),
            file,
            input_names=[str(INPUTS[name]["name"])],
            output_names=outputs,
            dynamic_axes=axes,
            opset_version=17,
            dynamo=False,
        )
        graph = halved(onnx.load(file))
    onnx.checker.check_model(graph)
    return graph


def write(name: str, weights: Path, notes: dict[str, Any], folder: Path) -> Path:
    """Write NAME.onnx and its card NAME.json into `folder`; `notes` (data, metrics, command, ...) join the card."""
    data = build(name, weights).SerializeToString()
    path = folder / f"{name}.onnx"
    path.write_bytes(data)
    card = {
        "name": name,
        "sha256": hashlib.sha256(data).hexdigest(),
        "bytes": len(data),
        "licence": "MIT",
        "input": INPUTS[name],
        "outputs": OUTPUTS[name],
        **notes,
    }
    text = json.dumps(card, indent=2, ensure_ascii=False) + "\n"
    path.with_suffix(".json").write_text(text, encoding="utf-8")
    return path


@click.command()
@click.argument("name", type=click.Choice(["locator", "namer"]))
@click.option("--weights", type=click.Path(path_type=Path, exists=True), required=True)
@click.option("--notes", type=click.Path(path_type=Path, exists=True), default=None, help="JSON to join to the card.")
@click.option("--folder", type=click.Path(path_type=Path), default=Path("models"), show_default=True)
def main(name: str, weights: Path, notes: Path | None, folder: Path) -> None:
    """Export the network NAME."""
    more = json.loads(notes.read_text(encoding="utf-8")) if notes else {}
    path = write(name, weights, more, folder)
    click.echo(f"{path}: {path.stat().st_size / 1e6:.2f} MB")


if __name__ == "__main__":
    main()
