"""The reward functions of GRPO: graded episodes, and a constant as the control."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean, pstdev
from typing import Any

from muxgym.answer import Message, parse_answer
from muxgym.calls import ScriptJob
from muxgym.client import Client
from muxgym.train.report import say
from muxgym.train.scoring import score


@dataclass(frozen=True, slots=True)
class Scored:
    """The rewards of one step. None is an episode that the gym could not grade; it is in no mean."""

    tasks: tuple[str, ...]
    rewards: tuple[float | None, ...]
    passed: int
    format_failures: int

    def summary(self) -> dict[str, Any]:
        """Figures of the step; `reward_spread` is the mean over groups of the standard deviation within the group."""
        known = [reward for reward in self.rewards if reward is not None]
        groups = self.groups()
        return {
            "reward_mean": fmean(known) if known else None,
            "reward_spread": fmean(pstdev(group) for group in groups.values()) if groups else None,
            "completions": len(self.rewards),
            "passed": self.passed,
            "masked": len(self.rewards) - len(known),
            "format_failures": self.format_failures,
            "groups": [{"task": task, "rewards": rewards} for task, rewards in groups.items()],
        }

    def groups(self) -> dict[str, list[float]]:
        """The known rewards by task; a step takes a task once."""
        groups: dict[str, list[float]] = defaultdict(list)
        for task, reward in zip(self.tasks, self.rewards, strict=True):
            if reward is not None:
                groups[task].append(reward)
        return groups


class EpisodeReward:
    """Runs the script of each completion in an episode of its own; the members of a group start alike."""

    __name__ = "episode_reward"

    def __init__(self, client: Client) -> None:
        self._client = client
        self.scored: list[Scored] = []

    def __call__(
        self, completions: Sequence[Sequence[Message]], task: Sequence[str], sample: Sequence[int], **_: Any
    ) -> list[float | None]:
        """TRL's protocol: `task` and `sample` are columns of the data set. None: no reward, the row is left out."""
        scripts = [parse_answer(completion[-1]["content"]) for completion in completions]
        jobs = [
            ScriptJob(name, script, number)
            for name, script, number in zip(task, scripts, sample, strict=True)
            if script is not None
        ]
        grades = iter(score(self._client, jobs))
        rewards: list[float | None] = []
        passed = 0
        for name, script in zip(task, scripts, strict=True):
            grade = None if script is None else next(grades)
            rewards.append(0.0 if grade is None else grade.reward)
            passed += grade is not None and grade.passed
            if grade is not None and grade.reward is None:
                say(f"masked: {name}, boundary {grade.boundary}: {grade.failure}")
        self.scored.append(Scored(tuple(task), tuple(rewards), passed, scripts.count(None)))
        return rewards


class ConstantReward:
    """One for every completion: no advantage, and with beta 0 no gradient."""

    __name__ = "constant_reward"

    def __init__(self) -> None:
        self.scored: list[Scored] = []

    def __call__(self, completions: Sequence[Sequence[Message]], task: Sequence[str], **_: Any) -> list[float | None]:
        failures = sum(parse_answer(completion[-1]["content"]) is None for completion in completions)
        rewards: list[float | None] = [1.0] * len(completions)
        self.scored.append(Scored(tuple(task), tuple(rewards), 0, failures))
        return rewards
