"""The `script` loop: one question, one answer with one script. The rule and its cases stand in `data/prompts`."""

import re
from importlib.resources import files
from typing import TypedDict

_FENCE = re.compile(r" {0,3}```(?!`)([^`]*)")
_TAGS = ("", "bash", "sh")


class Message(TypedDict):
    role: str
    content: str


def script_system() -> str:
    """The system message of the loop."""
    return files("muxgym").joinpath("script.txt").read_text(encoding="utf-8").removesuffix("\n")


def script_messages(prompt: str) -> list[Message]:
    """What the policy is given."""
    return [{"role": "system", "content": script_system()}, {"role": "user", "content": prompt}]


def format_answer(script: str) -> str:
    """The answer that a perfect policy gives; `parse_answer` reads the script back."""
    return f"```bash\n{script.removesuffix(chr(10))}\n```"


def parse_answer(answer: str) -> str | None:
    """The script of an answer, or None for a format failure."""
    lines = [line.removesuffix("\r") for line in answer.split("\n")]
    fences = [(index, match[1].strip()) for index, line in enumerate(lines) if (match := _FENCE.fullmatch(line))]
    if not fences or fences[0][1] not in _TAGS:
        return None
    start = fences[0][0]
    end = next((index for index, info in fences[1:] if info == ""), None)
    if end is None:
        return None
    script = "\n".join(lines[start + 1 : end])
    return script if script.strip() else None
