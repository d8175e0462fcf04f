"""mini-swe-agent, unchanged, in an episode: `--loop scaffold --scaffold "PYTHON -m muxgym.scaffold.mini_swe"`.

Its commands become actions and its questions go to the model of the run. Needs the package `mini-swe-agent` beside this
one (extra `scaffold`).
"""

import argparse
import os
import platform
import time
from types import SimpleNamespace
from typing import Any

from muxgym.scaffold.pipe import ContextEnded, ModelAnswer, PipeEpisode, connect

os.environ.setdefault("MSWEA_SILENT_STARTUP", "1")

from minisweagent.agents.default import AgentConfig, DefaultAgent
from minisweagent.config import get_config_from_spec
from minisweagent.exceptions import FormatError, LimitsExceeded, Submitted
from minisweagent.models.utils import actions_text, actions_toolcall

_SUBMIT = "COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT"
_TEXT_ACTION = r"```mswea_bash_command\s*\n(.*?)\n```"


class EpisodeEnvironment:
    """mini-swe-agent's `Environment` over one episode."""

    def __init__(self, episode: PipeEpisode) -> None:
        self.config = SimpleNamespace(task=episode.task)
        self._episode = episode

    def execute(self, action: dict[str, Any], cwd: str = "") -> dict[str, Any]:
        """Runs a command, in `cwd` where one is named."""
        command = action["command"]
        step = self._episode.act(f"cd {cwd} && {command}" if cwd else command)
        text, status = step.observation.text, step.observation.exit_code
        if self._episode.over:
            raise LimitsExceeded(_exit("EpisodeOver", ""))
        first, _, rest = text.lstrip().partition("\n")
        if first.strip() == _SUBMIT and status == 0:
            raise Submitted(_exit("Submitted", rest))
        return {"output": text, "returncode": -1 if status is None else status, "exception_info": ""}

    def get_template_vars(self, **kwargs: Any) -> dict[str, Any]:
        return {**platform.uname()._asdict(), "cwd": "", "env": {}, "timeout": 0, **kwargs}

    def serialize(self) -> dict[str, Any]:
        return {"info": {"config": {"environment": vars(self.config), "environment_type": "muxgym"}}}


class RunModel:
    """mini-swe-agent's `Model`, which asks the model of the run: by tool calls, or in plain text."""

    def __init__(self, episode: PipeEpisode, templates: dict[str, Any], *, text: bool) -> None:
        self.config = SimpleNamespace(
            model_name=episode.model,
            observation_template=templates["observation_template"],
            format_error_template=templates["format_error_template"],
        )
        self._episode = episode
        self._text = text

    def query(self, messages: list[dict[str, Any]], **_: Any) -> dict[str, Any]:
        sent = [{key: value for key, value in message.items() if key != "extra"} for message in messages]
        try:
            answer = self._episode.ask(sent, () if self._text else (actions_toolcall.BASH_TOOL,))
        except ContextEnded as error:
            raise LimitsExceeded(_exit("ContextEnded", "")) from error
        try:
            actions = self._parse(answer)
        except FormatError as error:
            self._episode.note_format_failure("no-action")
            error.messages[0].setdefault("extra", {}).update(cost=0.0, response=answer.content)
            raise
        calls = {"tool_calls": list(answer.tool_calls)} if answer.tool_calls else {}
        extra = {"actions": actions, "response": answer.content, "cost": 0.0, "timestamp": time.time()}
        return {"role": "assistant", "content": answer.content, **calls, "extra": extra}

    def format_message(self, **kwargs: Any) -> dict[str, Any]:
        return kwargs

    def format_observation_messages(
        self, message: dict[str, Any], outputs: list[dict[str, Any]], template_vars: dict[str, Any] | None = None
    ) -> list[dict[str, Any]]:
        common = {"observation_template": self.config.observation_template, "template_vars": template_vars}
        made: list[dict[str, Any]]
        if self._text:
            made = actions_text.format_observation_messages(outputs, **common)
        else:
            actions = message["extra"]["actions"]
            made = actions_toolcall.format_toolcall_observation_messages(actions=actions, outputs=outputs, **common)
        return made

    def get_template_vars(self, **kwargs: Any) -> dict[str, Any]:
        return {**vars(self.config), **kwargs}

    def serialize(self) -> dict[str, Any]:
        return {"info": {"config": {"model": vars(self.config), "model_type": "muxgym"}}}

    def _parse(self, answer: ModelAnswer) -> list[dict[str, Any]]:
        common = {
            "format_error_template": self.config.format_error_template,
            "template_kwargs": {"finish_reason": answer.finish_reason},
        }
        actions: list[dict[str, Any]]
        if self._text:
            actions = actions_text.parse_regex_actions(answer.content, action_regex=_TEXT_ACTION, **common)
        else:
            calls = [
                SimpleNamespace(id=call["id"], function=SimpleNamespace(**call["function"]))
                for call in answer.tool_calls
            ]
            actions = actions_toolcall.parse_toolcall_actions(calls, **common)
        return actions


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="muxgym.scaffold.mini_swe", description=__doc__)
    parser.add_argument("--text", action="store_true", help="plain text in place of tool calls")
    parser.add_argument("--config", help="a configuration of mini-swe-agent (default: mini, or mini_textbased)")
    options = parser.parse_args(arguments)
    episode = connect()
    config = get_config_from_spec(options.config or ("mini_textbased" if options.text else "mini"))
    agent = DefaultAgent(
        RunModel(episode, config["model"], text=options.text),
        EpisodeEnvironment(episode),
        **_agent_settings(config["agent"]),
    )
    agent.run(episode.prompt)


def _agent_settings(config: dict[str, Any]) -> dict[str, Any]:
    """What the plain agent knows of a configuration; what an answer costs is the run's to count."""
    known = {key: value for key, value in config.items() if key in AgentConfig.model_fields}
    return {**known, "cost_limit": 0.0}


def _exit(status: str, submission: str) -> dict[str, Any]:
    return {"role": "exit", "content": submission, "extra": {"exit_status": status, "submission": submission}}


if __name__ == "__main__":
    main()
