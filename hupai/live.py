"""`hupai live`: the hands before a camera, told as they are laid down."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

import scoring
from hupai.context import win, win_options
from hupai.house import chosen, house_option, rules_option
from hupai.photos import set_option, taught
from hupai.refusal import refuse

if TYPE_CHECKING:
    from vision.track import Tracker, View
    from vision.video import Video

LOOK_UP = 0.5  # seconds after which a camera that gives nothing is looked at again
WORDS = {
    "lost": "the camera is lost; trying again until it is back",
    "live": "the camera is back",
    "ended": "the film has ended",
    "dark": "the picture is black: open the lens, or add light",
}


def source(ctx: click.Context, param: click.Parameter, value: str | None) -> int | str | None:
    """A camera's number, or a file or URL as it is."""
    return int(value) if value is not None and value.isdecimal() else value


@click.command()
@click.option(
    "--camera",
    "source",
    metavar="N|FILE|URL",
    default="0",
    show_default=True,
    callback=source,
    help="A camera of this machine, a film, or a stream.",
)
@rules_option
@win_options
@set_option
@house_option
@click.option("--json", "as_json", is_flag=True, help="One JSON object a hand.")
def live(
    source: int | str,
    rules: str,
    set_name: str,
    house: scoring.RuleSet | None,
    as_json: bool,
    **given: Any,
) -> None:
    """Watch the table and tell each hand that comes to rest: its score where it wins, else what it waits for.

    Runs until it is interrupted (Ctrl-C) or the film ends.
    """
    import models
    from vision.track import tracker
    from vision.video import Video, VideoError

    rule_set = chosen(rules, house)
    try:
        locator, namer = models.load("locator"), models.load("namer")
    except models.ModelError as error:
        refuse(str(error))
    pieces = taught(set_name, None, rules, namer)
    follower = tracker(locator, namer, family=rule_set.family, rules=rules, pieces=pieces)
    last: dict[str, Any] | None = None
    try:
        with Video(source) as video:
            for view in _views(video, follower):
                hand = _hand(view, rules) if view.locked else None
                if hand is None or hand == last:
                    continue
                last = hand
                _tell(told({**hand, **win(**given)}, rule_set), as_json)
    except VideoError as error:
        refuse(str(error))
    except KeyboardInterrupt:
        click.echo("", err=True)


def _views(video: Video, follower: Tracker) -> Iterator[View]:
    """What is known after each picture that there was time for; says when the camera is lost, back, or blind."""
    from vision.video import is_black

    number, state, dark = 0, video.state, False
    while True:
        picture = video.newer(number, LOOK_UP)
        if video.state is not state:
            state = video.state
            click.echo(f"hupai live: {WORDS[state]}", err=True)
        if picture is not None:
            number = picture.number
            dark, before = is_black(picture.frame), dark
            if dark and not before:
                click.echo(f"hupai live: {WORDS['dark']}", err=True)
            yield follower.update(picture.frame, picture.at)
        elif state == "ended":
            return


def _hand(view: View, rules: str) -> dict[str, Any]:
    """The hand in the JSON form of a hand, with `rules`."""
    hand: dict[str, Any] = view.reading("", "", rules, "").to_json()["hand"]
    return {"rules": rules, **hand}


def told(value: dict[str, Any], rules: scoring.RuleSet) -> dict[str, Any]:
    """A hand and what is to be said of it: `score`, or `chances` and what is missing.

    `missing` counts the tiles that a whole hand still takes, below zero where there are too many.
    """
    tiles = [code for code in (*value["concealed"], value["win"]) if code is not None]
    missing = rules.hand_size + 1 - len(tiles) - 3 * len(value["melds"])
    if missing == 0:
        return {"hand": value, "missing": 0, "score": scoring.score_json(value, rules)}
    if missing == 1:
        # The last tile of the row was taken for the winning one, which is still to come.
        waiting = {**value, "concealed": tiles, "win": None}
        found = scoring.waits_json(waiting, rules)
        return {"hand": waiting, "missing": 1, "chances": found.get("waits", []), **_error(found)}
    return {"hand": value, "missing": missing, "chances": []}


def _error(found: dict[str, Any]) -> dict[str, Any]:
    return {"error": found["error"]} if "error" in found else {}


def _tell(news: dict[str, Any], as_json: bool) -> None:
    if as_json:
        click.echo(json.dumps(news, ensure_ascii=False))
        return
    from hupai import show

    show.live(news)
