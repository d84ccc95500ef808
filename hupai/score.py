"""`hupai score`: a photo of a hand becomes points."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any, Final, Literal

import click

import scoring
from hupai.context import win, win_options
from hupai.house import chosen, house_option, rules_option
from hupai.photos import Region, note_faults, photo_options, read_photos, set_option, write_annotated
from hupai.refusal import refuse

NO_HAND: Final = frozenset({"foreign_tile", "not_a_meld", "call_not_allowed", "too_many_calls", "too_many_kongs"}) | {
    "wrong_tile_count",
    "too_many_copies",
}
"""Reasons for refusing a hand that speak of what lies on the table, not of what was said about it."""


@click.command()
@click.argument("photo", metavar="PHOTO")
@rules_option
@win_options
@set_option
@photo_options
@house_option
@click.option("--explain", type=click.Choice(["zh", "en"]), help="Tell in words how the score comes about.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def score(
    photo: str,
    rules: str,
    set_name: str,
    region: Region | None,
    out: Path | None,
    house: scoring.RuleSet | None,
    explain: Literal["zh", "en"] | None,
    as_json: bool,
    **given: Any,
) -> None:
    """Read the hand in a photo and score it."""
    rule_set = chosen(rules, house)
    ((_, reading),) = read_photos([photo], family=rule_set.family, rules=rules, region=region, set_name=set_name)
    if isinstance(reading, dict):
        if as_json:
            click.echo(json.dumps(reading, ensure_ascii=False))
        refuse(f"{photo}: {reading['error']['message']}")
    value = {"rules": rules, **reading.to_json()["hand"], **win(**given)}
    scored, result, misused = _score(value, rule_set)
    if as_json:
        click.echo(json.dumps({**reading.to_json(), "score": result}, ensure_ascii=False))
    else:
        from hupai import show

        show.reading(reading)
        note_faults("score", reading)
        show.result(result, value)
        if explain and scored is not None and result["win"]:
            show.explanation(scored, explain)
    if out is not None:
        write_annotated(reading, region, out)
    if misused:
        refuse(misused)
    if not result["win"]:
        sys.exit(3)


def _score(
    value: dict[str, Any], rules: scoring.RuleSet
) -> tuple[scoring.Score | scoring.NoWin | None, dict[str, Any], str]:
    """The score of a hand read from a photo, if it has one, its JSON, and what was wrong in the use, empty where
    nothing was."""
    if value["win"] is None:
        reason = "no hand was found in the photo: lay the tiles flat and the winning tile apart, and take it from above"
        return None, {"win": False, "reason": reason, "waits": []}, ""
    try:
        scored = scoring.score(scoring.hand_from_json(value, rules))
    except scoring.HandError as error:
        misuse = [reason.message for reason in error.reasons if reason.code not in NO_HAND]
        if misuse:
            return None, error.to_json(), "; ".join(misuse)
        return None, {"win": False, "reason": str(error), "waits": []}, ""
    return scored, scored.to_json(), ""
