"""What the documents say is so."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from hupai.__main__ import VERBS, main
from scoring import Family, hand_from_json, house_rules, rule_sets, score, score_line, tiles_of
from vision.reading import FACTORY_SET, HandReading, Quad, Reading, Sighting

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
ERRORS = (ROOT / "docs" / "errors.md").read_text(encoding="utf-8")
REFERENCE = (ROOT / "docs" / "reference.md").read_text(encoding="utf-8")


def console_examples() -> list[tuple[str, str]]:
    """Each command of the README's console blocks, with the output shown under it."""
    blocks = re.findall(r"```console\n(.*?)```", README, re.DOTALL)
    found = re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", "".join(blocks), re.MULTILINE)
    assert found
    return [(command, output) for command, output in found]


@pytest.mark.parametrize(("command", "output"), console_examples())
def test_the_readmes_examples_print_what_it_shows(command: str, output: str) -> None:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["sh", "-c", f"{{ {command}; }} 2>&1"],
        capture_output=True,
        text=True,
        env={**os.environ, "PATH": path},
        check=False,
    )
    assert done.stdout == output


def test_the_readmes_two_commands_exist() -> None:
    commands = re.findall(r"```sh\n(sh \.ci/\w+)\n```", README)
    assert commands == ["sh .ci/sample", "sh .ci/check"]
    for command in commands:
        script = ROOT / command.removeprefix("sh ")
        assert os.access(script, os.X_OK)
        assert subprocess.run(["sh", "-n", str(script)], check=False).returncode == 0


def test_every_option_in_the_documents_exists() -> None:
    for verb, options in re.findall(r"^hupai (\w+)(.*)$", README, re.MULTILINE):
        shown = CliRunner().invoke(main, [verb, "--help"]).stdout
        for option in re.findall(r"--[\w-]+", options):
            assert option in shown, f"hupai {verb} {option}"


def test_the_reference_names_every_verb_and_every_tile() -> None:
    for verb in VERBS:
        assert f"| `hupai {verb}" in REFERENCE
    for family in (Family.XIANGQI, Family.PAIGOW):
        for tile in tiles_of(family):
            assert re.search(rf"[ `]{tile.code}[ `]", REFERENCE), tile.code


def test_the_references_hand_gives_the_references_score() -> None:
    hand, result, reading = (json.loads(block) for block in re.findall(r"```json\n(.*?)```", REFERENCE, re.DOTALL))
    assert score(hand_from_json(hand)).to_json() == result
    tile = Sighting(Quad(((0, 0), (9, 0), (9, 9), (0, 9)), 1.0, True, "up"), "rR", 1.0, ())
    shown = Reading("", 9, 9, "xiangqi", None, FACTORY_SET, (tile,), (0,), HandReading((), (), None)).to_json()
    assert set(reading) == set(shown)
    assert set(reading["tiles"][0]) == set(shown["tiles"][0])


def test_every_error_code_is_listed() -> None:
    raised = re.compile(r'(?:Reason|self.refuse|reader.refuse|PictureError)\(\s*"([a-z_]+)"')
    for room in ("scoring", "vision"):
        for path in (ROOT / room).rglob("*.py"):
            for code in raised.findall(path.read_text(encoding="utf-8")):
                assert f"| `{code}` |" in ERRORS, f"{path.name}: {code}"


@pytest.mark.parametrize(("code", "example"), re.findall(r"^\| `(\w+)` \| `([{\[].*)` \|", ERRORS, re.MULTILINE))
def test_every_example_of_an_error_gives_it(code: str, example: str) -> None:
    error = json.loads(score_line(example))["error"]
    assert code in {error["code"], *(reason["code"] for reason in error.get("reasons", []))}


def test_the_references_house_file_can_be_used() -> None:
    (text,) = re.findall(r"```toml\n(.*?)```", REFERENCE, re.DOTALL)
    ours = house_rules(text)
    assert (ours.id, ours.minimum_fan) == ("junqi-2", 2)


def test_links_lead_somewhere() -> None:
    for document in [ROOT / "README.md", *(ROOT / "docs").glob("*.md")]:
        for target in re.findall(r"\]\(([^)#:]+)\)", document.read_text(encoding="utf-8")):
            assert (document.parent / target).exists(), f"{document.name}: {target}"


def test_the_documents_say_how_many_rule_sets_there_are() -> None:
    assert len(rule_sets()) == 13
    assert "thirteen rule sets" in README.replace("\n", " ")
