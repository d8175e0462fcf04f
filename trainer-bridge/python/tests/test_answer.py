import json
from pathlib import Path
from typing import Any

import pytest

from muxgym.answer import format_answer, parse_answer, script_messages

PROMPTS = Path(__file__).parents[3] / "data" / "prompts"
CASES: list[dict[str, Any]] = json.loads((PROMPTS / "script-cases.json").read_text())


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_parse_answer_obeys_the_shared_cases(case: dict[str, Any]) -> None:
    assert parse_answer(case["answer"]) == case["script"]


def test_parse_answer_reads_back_what_format_answer_wrote() -> None:
    script = "set -e\nfor i in 1 2; do\n  echo $i\ndone"
    assert parse_answer(format_answer(script)) == script
    assert parse_answer(format_answer(script + "\n")) == script


def test_script_messages_begin_with_the_shared_system_message() -> None:
    system = (PROMPTS / "script.txt").read_text().strip()
    assert script_messages("Do it.") == [{"role": "system", "content": system}, {"role": "user", "content": "Do it."}]
