"""The pipe of the scaffold loop, without a run at its other end."""

import io
import json
from typing import Any

import pytest

from muxgym import MuxgymError, ProtocolError
from muxgym.scaffold import ContextEnded, PipeEpisode

OPENING = {"prompt": "p", "task": "cliff-d0-n1-s1", "model": "m", "limits": {"steps": 24}}
STEP: dict[str, Any] = {
    "observation": {"text": "a.txt\n", "exitCode": 0, "cutBytes": 0},
    "tick": 1,
    "terminated": False,
    "truncated": False,
    "info": {"tick": 1, "steps": 1, "actionCut": False, "wallTicks": 0, "reproducible": True, "pushed": []},
}


def open_pipe(*replies: dict[str, Any]) -> tuple[PipeEpisode, io.StringIO]:
    sink = io.StringIO()
    lines = [json.dumps(reply) for reply in (OPENING, *replies)]
    return PipeEpisode(io.StringIO("\n".join(lines) + "\n"), sink), sink


def sent(sink: io.StringIO) -> list[dict[str, Any]]:
    return [json.loads(line) for line in sink.getvalue().splitlines()]


def test_the_opening_tells_the_task() -> None:
    episode, _ = open_pipe()
    assert (episode.prompt, episode.task, episode.model, episode.max_steps) == ("p", "cliff-d0-n1-s1", "m", 24)


def test_actions_are_lines_and_their_answers_steps() -> None:
    over = {**STEP, "truncated": "steps"}
    episode, sink = open_pipe(STEP, STEP, STEP, over)
    step = episode.act("ls")
    assert (step.observation.text, step.observation.exit_code, step.truncated) == ("a.txt\n", 0, False)
    episode.keys("main:1", ["yes", "Enter"])
    episode.wait(3)
    assert not episode.over
    assert episode.run_script("ls\n").truncated_by == "steps"
    assert episode.over
    assert sent(sink) == [
        {"type": "command", "command": "ls"},
        {"type": "keys", "target": "main:1", "keys": ["yes", "Enter"]},
        {"type": "wait", "ticks": 3},
        {"type": "script", "script": "ls\n"},
    ]


def test_a_pushed_event_comes_with_the_step() -> None:
    notice = {"event": "death-1", "kind": "death", "worker": "w", "pane": "%3", "tick": 3}
    episode, _ = open_pipe({**STEP, "info": {**STEP["info"], "pushed": [notice]}})
    (pushed,) = episode.wait(3).info.pushed
    assert (pushed.event, pushed.kind, pushed.pane) == ("death-1", "death", "%3")


def test_the_model_is_asked_over_the_pipe() -> None:
    call = {"id": "c", "type": "function", "function": {"name": "bash", "arguments": "{}"}}
    answer = {"content": "so", "tool_calls": [call], "finish_reason": "tool_calls", "usage": {}}
    episode, sink = open_pipe({"answer": answer}, {"noted": True})
    said = episode.ask([{"role": "user", "content": "q"}])
    assert (said.content, said.tool_calls, said.finish_reason) == ("so", (call,), "tool_calls")
    episode.note_format_failure("no-action")
    assert [line["type"] for line in sent(sink)] == ["model", "format_failure"]


@pytest.mark.parametrize(("code", "kind"), [("E_CONTEXT", ContextEnded), ("E_ACTION", MuxgymError)])
def test_an_error_is_raised_with_its_code(code: str, kind: type[MuxgymError]) -> None:
    episode, _ = open_pipe({"error": {"code": code, "message": "no"}})
    with pytest.raises(kind) as caught:
        episode.ask([{"role": "user", "content": "q"}])
    assert caught.value.code == code


def test_a_closed_pipe_is_no_silent_end() -> None:
    episode, _ = open_pipe()
    with pytest.raises(ProtocolError):
        episode.act("ls")
