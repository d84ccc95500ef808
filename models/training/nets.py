"""The two networks. Both take uint8 BGR and normalise inside, so that the exported graph is all there is to know.

The locator is a heatmap detector after CenterNet (Zhou et al., "Objects as Points", 2019) on a residual encoder with a
top-down path (Lin et al., 2017). Dense convolutions, not depthwise ones: on the CPU these train five times faster.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional as F

STRIDE = 4
HEADS = {"xiangqi": 18, "junqi": 25, "paigow": 22, "mahjong": 43}  # kinds of the family, and one for none of them


def _conv(inputs: int, outputs: int, kernel: int = 3, stride: int = 1, act: bool = True) -> nn.Sequential:
    layers: list[nn.Module] = [
        nn.Conv2d(inputs, outputs, kernel, stride, kernel // 2, bias=False),
        nn.BatchNorm2d(outputs),
    ]
    if act:
        layers.append(nn.ReLU(inplace=True))
    return nn.Sequential(*layers)


class Residual(nn.Module):
    """Two dense 3x3 convolutions around a shortcut (He et al., 2016).

    What the convolutions add is nothing at first (Goyal et al., "Accurate, Large Minibatch SGD", 2017), so a trained
    net to which such blocks are added goes on from what it does.
    """

    def __init__(self, inputs: int, outputs: int, stride: int = 1) -> None:
        super().__init__()
        self.body = nn.Sequential(_conv(inputs, outputs, 3, stride), _conv(outputs, outputs, 3, act=False))
        self.short = (
            nn.Identity() if stride == 1 and inputs == outputs else _conv(inputs, outputs, 1, stride, act=False)
        )
        nn.init.zeros_(self.get_parameter("body.1.1.weight"))

    def forward(self, x: Tensor) -> Tensor:
        return F.relu(self.body(x) + self.short(x))


class Locator(nn.Module):
    """Where tiles are. Input (B, 3, H, W) uint8 BGR, H and W multiples of 32; outputs at a quarter of that.

    `forward` gives raw maps (B, 11, h, w): the logit of a centre; two offsets and six shape values (see
    `quad_to_shape`) in units of STRIDE px; the logits of round and of face up.
    """

    def __init__(self, width: int = 32) -> None:
        super().__init__()
        w = width
        self.stem = nn.Sequential(_conv(3, w // 2, 3, 2), _conv(w // 2, w, 3, 2))
        self.s4 = Residual(w, w)
        self.s8 = nn.Sequential(Residual(w, 2 * w, 2), Residual(2 * w, 2 * w))
        self.s16 = nn.Sequential(Residual(2 * w, 4 * w, 2), *(Residual(4 * w, 4 * w) for _ in range(3)))
        self.s32 = nn.Sequential(Residual(4 * w, 5 * w, 2), *(Residual(5 * w, 5 * w) for _ in range(2)))
        self.lateral = nn.ModuleList(nn.Conv2d(c, t, 1) for c, t in ((w, w), (2 * w, 2 * w), (4 * w, 2 * w)))
        self.top = nn.Conv2d(5 * w, 2 * w, 1)
        self.smooth = nn.ModuleList((_conv(2 * w, w, 3), _conv(2 * w, 2 * w, 3)))
        self.head = nn.Sequential(_conv(w, 3 * w // 2, 3), nn.Conv2d(3 * w // 2, 11, 1))
        last = self.head[-1]
        assert isinstance(last, nn.Conv2d)
        assert last.bias is not None
        nn.init.zeros_(last.bias)
        last.bias.data[0] = -4.0

    def forward(self, image: Tensor) -> Tensor:
        x = image.float() * (1 / 64) - 2.0
        c4 = self.s4(self.stem(x))
        c8 = self.s8(c4)
        c16 = self.s16(c8)
        y = self.top(self.s32(c16))
        y = self.lateral[2](c16) + F.interpolate(y, scale_factor=2.0, mode="nearest")
        y = self.lateral[1](c8) + F.interpolate(self.smooth[1](y), scale_factor=2.0, mode="nearest")
        y = self.lateral[0](c4) + F.interpolate(self.smooth[0](y), scale_factor=2.0, mode="nearest")
        out: Tensor = self.head(F.relu(y))
        return out


class Namer(nn.Module):
    """What a tile is. Input (N, 3, 64, 64) uint8 BGR; gives the unit embedding (N, 128), the raw logits of all heads in
    the order of HEADS (N, 108), and the cosine and sine of the face's turn (N, 2), not normalised."""

    def __init__(self, width: int = 32) -> None:
        super().__init__()
        w = width
        self.body = nn.Sequential(
            _conv(3, w, 5, 2),
            Residual(w, w),
            Residual(w, 2 * w, 2),
            Residual(2 * w, 2 * w),
            Residual(2 * w, 4 * w, 2),
            *(Residual(4 * w, 4 * w) for _ in range(3)),
            Residual(4 * w, 6 * w, 2),
            Residual(6 * w, 6 * w),
        )
        self.pool = nn.Sequential(
            nn.Flatten(), nn.Dropout(0.1), nn.Linear(6 * w * 16, 128, bias=False), nn.BatchNorm1d(128)
        )
        self.heads = nn.Linear(128, sum(HEADS.values()))
        self.up = nn.Linear(128, 2)
        self.scale = nn.Parameter(torch.tensor(12.0))

    def forward(self, patches: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        x = patches.float() * (1 / 64) - 2.0
        raw = self.pool(self.body(x))
        unit = F.normalize(raw, dim=1)
        return unit, self.heads(unit * self.scale), self.up(raw)


def quad_to_shape(quads: Tensor) -> Tensor:
    """(..., 4, 2) corners, clockwise from any of them, to (..., 8): centre and six values that no start can change.

    With corners as complex numbers and their discrete Fourier transform c, a, d, b (a the turn and size, b the
    stretch, d the perspective), a step along the corners multiplies a, b, d by i, -i, -1. Kept are c, a^4/|a|^3, ab/|a|
    and da^2/|a|^2, which are smooth in the tile's angle; corner offsets are not.
    """
    z = torch.complex(quads[..., 0], quads[..., 1])
    z0, z1, z2, z3 = z.unbind(-1)
    c = (z0 + z1 + z2 + z3) / 4
    a = (z0 - 1j * z1 - z2 + 1j * z3) / 4
    b = (z0 + 1j * z1 - z2 - 1j * z3) / 4
    d = (z0 - z1 + z2 - z3) / 4
    size = a.abs().clamp_min(1e-6)
    kept = (c, a**4 / size**3, a * b / size, d * a * a / size**2)
    return torch.stack([part for k in kept for part in (k.real, k.imag)], dim=-1)


def _root(x: Tensor, y: Tensor) -> tuple[Tensor, Tensor]:
    """A square root of the complex number x + iy, in real operations that every runtime has."""
    r = torch.sqrt(x * x + y * y + 1e-12)
    real = torch.sqrt(((r + x) / 2).clamp_min(1e-12))
    imag = torch.sqrt(((r - x) / 2).clamp_min(1e-12))
    return real, torch.where(y < 0, -imag, imag)


def shape_to_quad(shape: Tensor) -> Tensor:
    """The inverse of `quad_to_shape` along dimension 1: (B, 8, ...) to corners x0, y0 .. x3, y3, clockwise."""
    cx, cy, px, py, qx, qy, sx, sy = shape.unbind(1)
    size = torch.sqrt(px * px + py * py + 1e-12)
    hx, hy = _root(px / size, py / size)
    ux, uy = _root(hx, hy)  # a / |a|
    bx, by = qx * ux + qy * uy, qy * ux - qx * uy  # times the conjugate of u
    u2x, u2y = ux * ux - uy * uy, 2 * ux * uy
    dx, dy = sx * u2x + sy * u2y, sy * u2x - sx * u2y
    ax, ay = size * ux, size * uy
    out = []
    # corner k is c + a i^k + b (-i)^k + d (-1)^k
    for k in range(4):
        ix, iy = ((1, 0), (0, 1), (-1, 0), (0, -1))[k]
        sign = 1 if k % 2 == 0 else -1
        out.append(cx + ax * ix - ay * iy + bx * ix + by * iy + sign * dx)
        out.append(cy + ax * iy + ay * ix + by * ix - bx * iy + sign * dy)
    return torch.stack(out, dim=1)


class LocatorGraph(nn.Module):
    """The locator as it is shipped: (1, H, W, 3) uint8 to `heat` (of a tile's centre), `corners` (px from the cell's
    centre, clockwise from any of the four) and `kind` (round, face up)."""

    def __init__(self, net: Locator) -> None:
        super().__init__()
        self.net = net

    def forward(self, image: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        maps = self.net(image.permute(0, 3, 1, 2))
        return torch.sigmoid(maps[:, 0]), shape_to_quad(maps[:, 1:9] * STRIDE), torch.sigmoid(maps[:, 9:])


class NamerGraph(nn.Module):
    """The namer as it is shipped: (N, 64, 64, 3) uint8 to embedding, one array of logits per family, and `up`."""

    def __init__(self, net: Namer) -> None:
        super().__init__()
        self.net = net

    def forward(self, patches: Tensor) -> tuple[Tensor, ...]:
        unit, logits, up = self.net(patches.permute(0, 3, 1, 2))
        return (unit, *torch.split(logits, list(HEADS.values()), dim=1), F.normalize(up, dim=1))
