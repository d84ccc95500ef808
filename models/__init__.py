"""The networks that ship with hupai, each an ONNX file beside a card that says what it is and where it came from."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime as ort
from numpy.typing import NDArray

_FOLDER = Path(__file__).parent


class ModelError(RuntimeError):
    """A model file is missing, unknown, broken, or not the one its card describes."""


@dataclass(frozen=True)
class Model:
    """A loaded network. `card` is its description; one session may be used from several threads."""

    name: str
    card: dict[str, Any]
    session: ort.InferenceSession

    def run(self, feed: NDArray[np.uint8]) -> dict[str, NDArray[np.float32]]:
        """All outputs by name for its one uint8 input, whose shape the card gives (letters stand for any size)."""
        names = [output["name"] for output in self.card["outputs"]]
        return dict(zip(names, self.session.run(names, {self.card["input"]["name"]: feed}), strict=True))


def card(name: str, folder: Path = _FOLDER) -> dict[str, Any]:
    """The card of the network `name`: its input, outputs, SHA-256. Raises ModelError where it is missing or broken."""
    path = folder / f"{name}.json"
    told: Any = None
    try:
        told = json.loads(_bytes(name, path))
        texts = [told["sha256"], told["input"]["name"], *(output["name"] for output in told["outputs"])]
    except (ValueError, LookupError, TypeError, RecursionError):
        texts = []
    if not isinstance(told, dict) or len(texts) < 3 or not all(isinstance(text, str) for text in texts):
        wanted = "JSON with sha256, input.name and outputs"
        raise ModelError(f"the card of model {name!r} is broken: {path} is no {wanted}; install hupai again")
    return told


def _bytes(name: str, path: Path) -> bytes:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        raise ModelError(f"model {name!r} is missing: {path}; install hupai again") from None
    except OSError as error:
        reason = (error.strerror or "unknown reason").lower()
        raise ModelError(f"model {name!r} cannot be read: {path} ({reason}); install hupai again") from None


def check(name: str, folder: Path = _FOLDER) -> None:
    """See that the files of the network `name` are there and whole, without opening it. Raises ModelError as `load`."""
    _read(name, folder)


def _read(name: str, folder: Path) -> tuple[dict[str, Any], bytes]:
    told, data = card(name, folder), _bytes(name, folder / f"{name}.onnx")
    if hashlib.sha256(data).hexdigest() != told["sha256"]:
        raise _another(name)
    return told, data


def load(name: str, *, threads: int = 2, folder: Path = _FOLDER) -> Model:
    """The network `name` ("locator" or "namer") from `folder`, running on that many threads.

    Raises ModelError where a file is missing, the card is broken, or it speaks of another network than the file is.
    """
    told, data = _read(name, folder)
    options = ort.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    # Threads that spin between two pictures would keep a laptop's cores busy for nothing.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    session = ort.InferenceSession(data, options, providers=["CPUExecutionProvider"])
    told_names = {told["input"]["name"]}, {output["name"] for output in told["outputs"]}
    if told_names != ({node.name for node in session.get_inputs()}, {node.name for node in session.get_outputs()}):
        raise _another(name)
    return Model(name, told, session)


def _another(name: str) -> ModelError:
    return ModelError(f"model {name!r} does not match its card; install hupai again")
