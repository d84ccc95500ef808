from __future__ import annotations

from vision.reading import Face, Point, Quad, Sighting
from vision.standing import without_sides


def seen(corners: tuple[Point, Point, Point, Point], face: Face, round: bool = False) -> Sighting:
    code = "1m" if face == "up" else None
    return Sighting(Quad(corners, 0.9, round, face), code, 0.9 if code else 0.0, ())


def box(x: float, y: float, width: float, height: float) -> tuple[Point, Point, Point, Point]:
    return (x, y), (x + width, y), (x + width, y + height), (x, y + height)


FACES = [seen(box(40.0 * n, 100, 40, 54), "up") for n in range(4)]


def test_the_tops_of_standing_tiles_are_no_backs() -> None:
    tops = [seen(box(40.0 * n + 3, 68, 40, 30), "down") for n in range(4)]
    assert without_sides([*FACES, *tops]) == FACES
    assert without_sides(tops) == tops
    assert without_sides([]) == []


def test_a_side_may_be_seen_from_anywhere() -> None:
    leaning = seen(((0, 0), (40, 20), (20, 60), (-20, 40)), "up")
    side = seen(((40, 20), (65, 27), (45, 67), (20, 60)), "down")
    turned = seen((side.quad.corners[2], side.quad.corners[3], side.quad.corners[0], side.quad.corners[1]), "down")
    assert without_sides([leaning, side]) == [leaning]
    assert without_sides([turned, leaning]) == [leaning]


def test_backs_beside_faces_are_kept() -> None:
    kong = [seen(box(0, 0, 40, 54), "down"), *[seen(box(40.0 * n, 0, 40, 54), "up") for n in (1, 2)]]
    behind = [seen(box(40.0 * n, 55, 40, 44), "down") for n in range(4)]  # a wall, foreshortened as the faces are
    apart = seen(box(0, 40, 40, 30), "down")
    sideways = seen(box(160, 114, 54, 40), "down")
    disc = seen(box(40, 68, 40, 30), "down", round=True)
    for others in (kong, [*FACES, *behind], [*FACES, apart], [*FACES, sideways], [*FACES, disc]):
        assert without_sides(others) == others
