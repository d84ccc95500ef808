"""`hupai camera`: calibrate a camera that stands over the table, and check that it still stands there."""

from __future__ import annotations

from pathlib import Path

import click

from calibration import cameras, views
from calibration.board import SQUARE, Board
from calibration.camera import Camera, CameraError, calibrate_by_taps
from calibration.camera import calibrate as calibrate_views
from hupai.refusal import refuse
from vision import frames
from vision.frames import Frame, Pixels

Points = list[tuple[float, float]]
Box = tuple[int, int, int, int]


@click.group()
def camera() -> None:
    """A camera that stands over the table: its lens, the table's plane, its colours."""


_square = click.option(
    "--square", metavar="MM", type=click.FloatRange(5, 200), default=SQUARE, show_default=True, help="As measured."
)
_device = click.option("--camera", "device", metavar="N", type=click.IntRange(0, 63), help="Use this camera.")


def _points(ctx: click.Context, param: click.Parameter, value: str | None) -> Points | None:
    """Four points of "x,y x,y x,y x,y"."""
    if value is None:
        return None
    try:
        (ax, ay), (bx, by), (cx, cy), (dx, dy) = ([float(n) for n in pair.split(",")] for pair in value.split())
    except ValueError:
        raise click.BadParameter(f'{value!r} is not four points such as "310,200 900,210 960,640 250,630"') from None
    return [(ax, ay), (bx, by), (cx, cy), (dx, dy)]


def _box(ctx: click.Context, param: click.Parameter, value: str | None) -> Box | None:
    """The four numbers of x,y,w,h."""
    if value is None:
        return None
    try:
        x, y, width, height = (int(number) for number in value.split(","))
    except ValueError:
        raise click.BadParameter(f"{value!r} is not four whole numbers x,y,w,h such as 100,200,40,40") from None
    return x, y, width, height


def _rectangle(ctx: click.Context, param: click.Parameter, value: str) -> Points:
    """The corners in mm of a rectangle WxH."""
    try:
        width, height = (float(number) for number in value.lower().split("x"))
    except ValueError:
        raise click.BadParameter(f"{value!r} is not a width and a height in mm such as 297x210") from None
    return [(0.0, 0.0), (width, 0.0), (width, height), (0.0, height)]


@camera.command()
@click.argument("name")
@click.argument("photos", metavar="[PHOTO...]", nargs=-1, type=click.Path(path_type=Path))
@_device
@_square
@click.option(
    "--taps", metavar='"x,y x,y x,y x,y"', callback=_points, help="Corners of a rectangle on the table, in px."
)
@click.option("--mm", metavar="WxH", default="297x210", show_default=True, callback=_rectangle, help="Its size.")
@click.option("--neutral", metavar="x,y,w,h", callback=_box, help="A grey or white place, in px, with --taps.")
def calibrate(
    name: str,
    photos: tuple[Path, ...],
    device: int | None,
    square: float,
    taps: Points | None,
    mm: Points,
    neutral: Box | None,
) -> None:
    """Calibrate a camera under NAME from photos of the board, the last with the board flat on the table.

    Without a board, --taps and a photo of a rectangle of known size, such as a sheet of paper, tell the table's plane.
    """
    if bool(photos) == (device is not None):
        refuse("give either photos or --camera N")
    if neutral is not None and taps is None:
        refuse("--neutral goes with --taps; the board has its own grey patches")
    board = Board(square)
    try:
        cameras.check_name(name)
        if taps is not None:
            frame = _load(photos[0]) if photos else _one(device or 0)
            made = calibrate_by_taps(name, frame.image, _in_image(frame, taps), mm, _box_in_image(frame, neutral))
        else:
            pictures = [_load(photo).image for photo in photos] if photos else _views(device or 0, board)
            made = calibrate_views(name, pictures, board)
        path = cameras.save(made)
    except CameraError as error:
        refuse(str(error))
    except OSError as error:
        refuse(f"the camera cannot be kept ({(error.strerror or 'unknown reason').lower()}): set HUPAI_HOME")
    click.echo(_described(made))
    click.echo(f"kept in {path}")


@camera.command()
@click.argument("name")
@click.argument("photo", required=False, type=click.Path(path_type=Path))
@_device
@_square
def check(name: str, photo: Path | None, device: int | None, square: float) -> None:
    """Say whether a camera still stands as it was calibrated, from a photo or a picture of --camera N."""
    if (photo is None) == (device is None):
        refuse("give either a photo or --camera N")
    try:
        known = cameras.load(name)
        drift = known.drift((_load(photo) if photo else _one(device or 0)).image, Board(square))
    except CameraError as error:
        refuse(str(error))
    if drift.off is None:
        refuse("neither the board nor enough of the table is seen to tell: lay the board on the table")
    if drift.moved:
        refuse(f"the camera has moved, by the {drift.by} things lie {drift.off:.0f} mm off: calibrate it again")
    click.echo(f"{name} stands as it did: by the {drift.by} things lie {drift.off:.1f} mm off")


@camera.command("list")
def list_cameras() -> None:
    """List the cameras that are calibrated."""
    for name in cameras.names():
        try:
            click.echo(f"{name}: {_described(cameras.load(name))}")
        except CameraError as error:
            click.echo(f"{name}: {error}")


@camera.command()
@click.argument("name")
def forget(name: str) -> None:
    """Delete what is known of a camera."""
    try:
        cameras.forget(name)
    except CameraError as error:
        refuse(str(error))


def _described(made: Camera) -> str:
    lens = "no lens" if made.lens is None else f"focal length {made.lens.focal:.0f} px, {made.lens.error:.2f} px off"
    blue, _, red = made.gains
    size = f"{made.size[0]}×{made.size[1]}"
    return f"{size}, {lens}, {made.scale():.2f} px a mm on the table, blue × {blue:.2f}, red × {red:.2f}"


def _in_image(frame: Frame, points: Points) -> Points:
    """Points of a photo in the picture that was made of it, which may be smaller."""
    return [(x / frame.step[0], y / frame.step[1]) for x, y in points]


def _box_in_image(frame: Frame, box: Box | None) -> Box | None:
    if box is None:
        return None
    (x, y), (width, height) = _in_image(frame, [(box[0], box[1]), (box[2], box[3])])
    return round(x), round(y), round(width), round(height)


def _load(photo: Path) -> Frame:
    try:
        return frames.decode(frames.load(photo))
    except frames.PictureError as error:
        refuse(f"{photo}: {error}")


def _one(device: int) -> Frame:
    image = next(views.grabbed(device))
    return Frame(image, image.shape[1], image.shape[0])


def _views(device: int, board: Board) -> list[Pixels]:
    """Pictures in which the board lies differently, and at last one with the board on the table."""
    click.echo("hold the board before the camera: near and far, in every corner, tilted to each side")
    taken = views.distinct(views.grabbed(device), board, lambda n: click.echo(f"view {n} of {views.WANTED}"))
    click.pause("lay the board flat on the table, take your hands away and press a key")
    return [*taken, _one(device).image]
