"""Export trained weights to ONNX, with the card beside it.

    python -m models.training.export locator --weights training/locator/checkpoint.pt --calibrate training/scenes_val \
        --notes notes.json

With pictures to calibrate by, convolutions are computed in eight bits: a third of the time, at no loss that counts. The
ranges of what goes into them are those that rendered pictures make (static quantisation, Jacob et al., "Quantization
and Training of Neural Networks for Efficient Integer-Arithmetic-Only Inference", 2018). All other weights are half
precision in the file and single when run.
"""

from __future__ import annotations

import hashlib
import json
import tempfile
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import numpy as np
import onnx
import torch
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper
from onnxruntime.quantization import CalibrationDataReader, QuantFormat, QuantType, quantize_static
from onnxruntime.quantization.shape_inference import quant_pre_process
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

# What is computed in eight bits: kinds of nodes, less the layers whose names begin so. The locator's first layers see
# the picture's finest shades, and its last ones tell places to a fraction of a pixel; sums stay exact there too.
EIGHT_BITS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "locator": (("Conv",), ("/net/stem/", "/net/head/")),
    "namer": (("Conv", "Add", "Relu", "MatMul"), ()),
}
CALIBRATION = {"locator": (100, 1), "namer": (48, 32)}
"""How many batches of how many pictures the ranges are taken from."""


class Pictures(CalibrationDataReader):  # type: ignore[misc]
    """Batches of what `render` wrote in a folder, spread over all of it."""

    def __init__(self, name: str, folder: Path) -> None:
        pictures = np.load(folder / "pictures.npy", mmap_mode="r")
        count, size = CALIBRATION[name]
        chosen = np.linspace(0, len(pictures) - 1, min(count * size, len(pictures))).round().astype(int)
        self.batches = self._batches(
            str(INPUTS[name]["name"]), pictures, np.split(chosen, range(size, len(chosen), size))
        )

    @staticmethod
    def _batches(
        feed: str, pictures: NDArray[np.uint8], parts: list[NDArray[np.int_]]
    ) -> Iterator[dict[str, NDArray[np.uint8]]]:
        for part in parts:
            yield {feed: np.ascontiguousarray(pictures[part])}

    def get_next(self) -> dict[str, NDArray[np.uint8]] | None:
        """The next batch by the name of the network's input; None after the last."""
        return next(self.batches, None)


def quantised(name: str, graph: onnx.ModelProto, pictures: Path) -> onnx.ModelProto:
    """The same graph with its convolutions in eight bits, their ranges taken from rendered pictures.

    Weights keep seven bits of the eight, a scale for each channel: processors without instructions for sums of four
    products would overflow with more, and read differently from others.
    """
    kinds, exact = EIGHT_BITS[name]
    with tempfile.TemporaryDirectory() as folder:
        whole, prepared, small = (Path(folder) / f"{step}.onnx" for step in ("whole", "prepared", "small"))
        onnx.save(graph, whole)
        quant_pre_process(whole, prepared, skip_symbolic_shape=True)
        quantize_static(
            prepared,
            small,
            Pictures(name, pictures),
            quant_format=QuantFormat.QDQ,
            op_types_to_quantize=list(kinds),
            nodes_to_exclude=[node.name for node in onnx.load(prepared).graph.node if node.name.startswith(exact)],
            per_channel=True,
            reduce_range=True,
            activation_type=QuantType.QUInt8,
            weight_type=QuantType.QInt8,
        )
        return onnx.load(small)


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


def build(name: str, weights: Path, pictures: Path | None = None) -> onnx.ModelProto:
    """The ONNX graph of the averaged weights in a checkpoint; in eight bits where there are pictures for it."""
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
        graph = onnx.load(file)
    graph = halved(graph if pictures is None else quantised(name, graph, pictures))
    onnx.checker.check_model(graph)
    return graph


def write(name: str, weights: Path, notes: dict[str, Any], folder: Path, pictures: Path | None = None) -> Path:
    """Write NAME.onnx and its card NAME.json into `folder`; `notes` (data, metrics, command, ...) join the card."""
    data = build(name, weights, pictures).SerializeToString()
    path = folder / f"{name}.onnx"
    path.write_bytes(data)
    card = {
        "name": name,
        "sha256": hashlib.sha256(data).hexdigest(),
        "bytes": len(data),
        "licence": "MIT",
        "input": INPUTS[name],
        "outputs": OUTPUTS[name],
        "precision": "16 bits, computed with in 32" if pictures is None else "convolutions in 8 bits, else 16 and 32",
        **notes,
    }
    text = json.dumps(card, indent=2, ensure_ascii=False) + "\n"
    path.with_suffix(".json").write_text(text, encoding="utf-8")
    return path


@click.command()
@click.argument("name", type=click.Choice(["locator", "namer"]))
@click.option("--weights", type=click.Path(path_type=Path, exists=True), required=True)
@click.option("--notes", type=click.Path(path_type=Path, exists=True), default=None, help="JSON to join to the card.")
@click.option(
    "--calibrate",
    "pictures",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    help="What `render scenes` (for the locator) or `render patches` wrote: quantise by these pictures.",
)
@click.option("--folder", type=click.Path(path_type=Path), default=Path("models"), show_default=True)
def main(name: str, weights: Path, notes: Path | None, pictures: Path | None, folder: Path) -> None:
    """Export the network NAME."""
    more = json.loads(notes.read_text(encoding="utf-8")) if notes else {}
    path = write(name, weights, more, folder, pictures)
    click.echo(f"{path}: {path.stat().st_size / 1e6:.2f} MB")


if __name__ == "__main__":
    main()
