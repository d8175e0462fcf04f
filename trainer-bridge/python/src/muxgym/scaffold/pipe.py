"""JSON lines over standard input and output. The protocol is in `rollout/loop/README.md` of the checkout."""

import json
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TextIO

from muxgym.errors import MuxgymError, ProtocolError
from muxgym.values import EventNotice, Observation, Step, StepInfo


class ContextEnded(MuxgymError):
    """The conversation is longer than the model's context; nothing was answered."""


@dataclass(frozen=True, slots=True)
class ModelAnswer:
    """What the model of the run said; `tool_calls` are in the form of OpenAI's chat protocol."""

    content: str
    tool_calls: tuple[dict[str, Any], ...]
    #: "stop", "tool_calls", "length", or the server's own word.
    finish_reason: str


class PipeEpisode:
    """One episode, with the calls of `Episode`; it is graded by the run. The end of the program is `done`."""

    def __init__(self, source: TextIO, sink: TextIO) -> None:
        self._source = source
        self._sink = sink
        opening = self._read()
        self.prompt: str = opening["prompt"]
        self.task: str = opening["task"]
        #: The model of the run, as the tables name it.
        self.model: str = opening["model"]
        self.max_steps: int = opening["limits"]["steps"]
        #: Whether the episode has ended; it takes no action then.
        self.over = False

    def act(self, command: str) -> Step:
        """Runs one shell command by `bash -c`. Each starts a fresh shell: no state but files and tmux."""
        return self._act({"type": "command", "command": command})

    def run_script(self, script: str) -> Step:
        """Runs a whole script as one action."""
        return self._act({"type": "script", "script": script})

    def keys(self, target: str, keys: Sequence[str]) -> Step:
        """Sends keys to a pane, each as tmux `send-keys` takes it."""
        return self._act({"type": "keys", "target": target, "keys": list(keys)})

    def wait(self, ticks: int = 1) -> Step:
        """Lets the virtual clock run."""
        return self._act({"type": "wait", "ticks": ticks})

    def done(self) -> Step:
        """Says that the work is finished."""
        return self._act({"type": "done"})

    def ask(self, messages: Sequence[dict[str, Any]], tools: Sequence[dict[str, Any]] = ()) -> ModelAnswer:
        """Asks the model of the run; messages and tools are in the form of OpenAI's chat protocol."""
        answer = self._exchange({"type": "model", "messages": list(messages), "tools": list(tools)})["answer"]
        return ModelAnswer(answer["content"], tuple(answer["tool_calls"]), answer["finish_reason"])

    def note_format_failure(self, reason: str) -> None:
        """Says that the last answer of the model held no valid action, so that it is counted apart from failures."""
        self._exchange({"type": "format_failure", "reason": reason[:200]})

    def _act(self, action: dict[str, Any]) -> Step:
        step = _read_step(self._exchange(action))
        self.over = step.terminated or step.truncated
        return step

    def _exchange(self, request: dict[str, Any]) -> dict[str, Any]:
        print(json.dumps(request), file=self._sink, flush=True)
        reply = self._read()
        error = reply.get("error")
        if error is not None:
            kind = ContextEnded if error["code"] == "E_CONTEXT" else MuxgymError
            raise kind(error["code"], error["message"])
        return reply

    def _read(self) -> dict[str, Any]:
        line = self._source.readline()
        if not line:
            raise ProtocolError("E_PROTOCOL", "Cannot go on: the run has closed the pipe")
        reply: dict[str, Any] = json.loads(line)
        return reply


def connect() -> PipeEpisode:
    """Takes standard input and output for the talk with the run; what the program prints goes to standard error."""
    sink = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    return PipeEpisode(sys.stdin, sink)


def _read_step(reply: dict[str, Any]) -> Step:
    seen, info = reply["observation"], reply["info"]
    cut = reply["truncated"]
    return Step(
        observation=Observation(seen["text"], seen["exitCode"], seen["cutBytes"]),
        reward=None if reply["terminated"] or cut else 0.0,  # the run grades, and keeps it to itself
        terminated=reply["terminated"],
        truncated=bool(cut),
        truncated_by=cut or None,
        tick=reply["tick"],
        info=StepInfo(
            steps=info["steps"],
            action_cut=info["actionCut"],
            wall_ticks=info["wallTicks"],
            reproducible=info["reproducible"],
            grade=None,
            pushed=tuple(EventNotice(**notice) for notice in info["pushed"]),
        ),
    )
