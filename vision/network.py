"""What the reader asks of a network, so that any object that answers it will do."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray


class Network(Protocol):
    """A network with one uint8 input and named float32 outputs, such as `models.Model`."""

    def run(self, feed: NDArray[np.uint8]) -> Mapping[str, NDArray[Any]]:
        """All outputs by name."""
        ...
