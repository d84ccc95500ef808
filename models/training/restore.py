"""Weights to train on from, taken back out of a network that ships: a checkpoint where the run's own is gone.

    python -m models.training.restore locator --pictures training/scenes_val/pictures.npy --out training/locator.pt

Export folds each batch normalisation into its convolution, and rounds to eight bits. Here the weights are taken as they
were rounded, and each normalisation is given the mean and the spread that pictures make, such that the net computes
what the file does and can be trained with `--start`.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import click
import numpy as np
import onnx
import torch
from numpy.typing import NDArray
from onnx import numpy_helper
from torch import Tensor, nn

from models.training.nets import Locator, Namer

BATCH: Final = 8
POOL: Final = "pool.2"  # the namer's linear layer; its normalisation is folded under a name of its own
_FUSED: Final = "MatMulBnFusion_Gemm"

Folded = dict[str, tuple[NDArray[np.float32], NDArray[np.float32]]]


def folded(graph: onnx.GraphProto) -> Folded:
    """The weight and the bias of every convolution and linear layer by the name of its module, out of eight bits."""
    values = {tensor.name: numpy_helper.to_array(tensor) for tensor in graph.initializer}
    for node in graph.node:
        if node.op_type == "Cast" and node.input[0] in values:
            values[node.output[0]] = values[node.input[0]].astype(np.float32)
        if node.op_type == "DequantizeLinear" and node.input[0] in values:
            values[node.output[0]] = _dequantised(node, values)
    layers: Folded = {}
    for node in graph.node:
        if node.op_type in ("Conv", "Gemm"):
            weight, bias = (np.asarray(values[name], np.float32) for name in node.input[1:3])
            across = node.op_type == "Gemm" and not any(a.name == "transB" and a.i for a in node.attribute)
            name = POOL if node.name == _FUSED else _module(node.name)
            layers[name] = (weight.T if across else weight, bias)
    return layers


def _dequantised(node: onnx.NodeProto, values: dict[str, NDArray[Any]]) -> NDArray[np.float32]:
    whole, scale, zero = (values[name].astype(np.float32) for name in node.input)
    axis = next((a.i for a in node.attribute if a.name == "axis"), 1)
    if scale.size > 1:
        shape = [-1 if k == axis else 1 for k in range(whole.ndim)]
        scale, zero = scale.reshape(shape), zero.reshape(shape)
    return np.asarray((whole - zero) * scale, np.float32)


def _module(node: str) -> str:
    """The module of a node: `s4.body.0.0` of `/net/s4/body/body.0/body.0.0/Conv`, whose parts repeat their parents."""
    parts = node.strip("/").split("/")[1:-1]
    return ".".join(part for part, after in pairwise([*parts, ""]) if not after.startswith(f"{part}."))


def restored(name: str, model: Path, pictures: NDArray[np.uint8]) -> dict[str, Any]:
    """A checkpoint of the network in the file `model`, which is in eight bits, as `Run` begins from one.

    `pictures` (N, H, W, 3) uint8 BGR are like those of its training; from them come the means and spreads. Raises
    ValueError where the file is of another net.
    """
    graph = onnx.load(model).graph
    layers = folded(graph)
    first = "stem.1.0" if name == "locator" else "body.0.0"
    if first not in layers:
        raise ValueError(f"{model} is not the {name}")
    width = len(layers[first][1])
    net: nn.Module = Locator(width) if name == "locator" else Namer(width)
    norms = dict(_normalised(net))
    if set(layers) != {key for key, module in net.named_modules() if isinstance(module, nn.Conv2d | nn.Linear)}:
        raise ValueError(f"{model} is of a {name} built otherwise, or not in eight bits")
    with torch.no_grad():
        for key, (weight, bias) in layers.items():
            layer = net.get_submodule(key)
            layer.get_parameter("weight").copy_(torch.from_numpy(weight.copy()))
            norms.get(key, layer).get_parameter("bias").copy_(torch.from_numpy(bias.copy()))
        for norm in norms.values():
            norm.get_parameter("weight").fill_(float(np.sqrt(1 + norm.eps)))  # as yet it only adds its bias
        if isinstance(net, Namer):
            scale = next(tensor for tensor in graph.initializer if tensor.name == "net.scale")
            net.scale.copy_(torch.from_numpy(numpy_helper.to_array(scale).astype(np.float32).reshape(())))
        _unfold(net.eval(), norms, pictures)
    return {"mean": net.state_dict(), "width": width, "step": 0}


def _normalised(net: nn.Module) -> Iterator[tuple[str, nn.BatchNorm1d | nn.BatchNorm2d]]:
    """Each layer whose output is normalised, by name, and what normalises it."""
    for (before, layer), (_, norm) in pairwise(net.named_modules()):
        if isinstance(layer, nn.Conv2d | nn.Linear) and isinstance(norm, nn.BatchNorm1d | nn.BatchNorm2d):
            yield before, norm


def _unfold(net: nn.Module, norms: dict[str, nn.BatchNorm1d | nn.BatchNorm2d], pictures: NDArray[np.uint8]) -> None:
    """Bring every filter to length 1 and give what follows the mean and spread of its output over the pictures."""
    sums = {key: torch.zeros(3, norm.num_features, dtype=torch.float64) for key, norm in norms.items()}

    def counted(key: str) -> Any:
        def hook(_module: nn.Module, _inputs: Any, output: Tensor) -> None:
            by_channel = output.double().transpose(0, 1).flatten(1)
            count = torch.full_like(by_channel[:, 0], by_channel.shape[1])
            sums[key] += torch.stack([count, by_channel.sum(1), (by_channel**2).sum(1)])

        return hook

    hooks = [net.get_submodule(key).register_forward_hook(counted(key)) for key in norms]
    for first in range(0, len(pictures), BATCH):
        net(torch.from_numpy(np.ascontiguousarray(pictures[first : first + BATCH].transpose(0, 3, 1, 2))))
    for hook in hooks:
        hook.remove()
    for key, norm in norms.items():
        count, total, squares = sums[key]
        weight = net.get_submodule(key).get_parameter("weight")
        length = weight.flatten(1).norm(dim=1).clamp_min(1e-6)
        mean = total / count
        spread = (squares / count - mean**2).clamp_min(1e-8)
        weight.div_(length.reshape(-1, *[1] * (weight.ndim - 1)))
        norm.bias.add_(mean.float())
        norm.get_buffer("running_mean").copy_(mean / length)
        norm.get_buffer("running_var").copy_(spread / length**2)
        norm.weight.copy_(length * torch.sqrt(spread / length**2 + norm.eps).float())


@click.command()
@click.argument("name", type=click.Choice(["locator", "namer"]))
@click.option("--model", type=click.Path(path_type=Path, exists=True), help="The file; without it the one that ships.")
@click.option("--pictures", type=click.Path(path_type=Path, exists=True), required=True, help="A pictures.npy.")
@click.option("--count", type=int, default=400, show_default=True, help="How many of them to look at.")
@click.option("--out", type=click.Path(path_type=Path), required=True)
def main(name: str, model: Path | None, pictures: Path, count: int, out: Path) -> None:
    """Write a checkpoint of the network NAME to OUT."""
    shown = np.load(pictures, mmap_mode="r")
    chosen = np.linspace(0, len(shown) - 1, min(count, len(shown))).round().astype(int)
    try:
        state = restored(name, model or Path(f"models/{name}.onnx"), np.asarray(shown[chosen]))
    except ValueError as error:
        raise click.ClickException(str(error)) from error
    torch.save(state, out)
    click.echo(f"{out}: the {name} as it ships")


if __name__ == "__main__":
    main()
