"""The training commands on a tiny model; episodes are played on a real server."""

import json
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any, cast

import pytest
import torch
from transformers import AutoModelForCausalLM

from conftest import Server
from muxgym import Client, Grade, ScriptJob, format_answer
from muxgym.answer import Message
from muxgym.train.cli import main
from muxgym.train.config import GrpoConfig
from muxgym.train.grpo import make_rows, train_grpo
from muxgym.train.reward import ConstantReward, EpisodeReward, Scored
from muxgym.train.run_folder import RunFolder
from muxgym.train.tasks import read_tasks
from tiny_model import write_tiny_model

TASK = "cliff-d0-n1-s0"
MASKED = Grade("masked", None, passed=False, flags=(), boundary="tmux", failure="it broke", checks=())


@pytest.fixture(scope="session")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("tiny") / "model"
    write_tiny_model(folder)
    return folder


@pytest.fixture
def config_file(tmp_path: Path, tiny: Path, tasks_file: Path, server: Server) -> Path:
    path = tmp_path / "config.toml"
    lines = [f'model = "{tiny}"', f'tasks = "{tasks_file}"', f'address = "{server.zeromq}"', 'min_rung = "bare"']
    path.write_text("\n".join([*lines, ""]))
    return path


def make_grpo_config(tiny: Path, tasks_file: Path, **changes: Any) -> GrpoConfig:
    small: dict[str, Any] = {"steps": 1, "prompts_per_step": 2, "group_size": 4, "max_completion_tokens": 8}
    return GrpoConfig(model=str(tiny), tasks=str(tasks_file), device="cpu", **{**small, **changes})


def read_weights(folder: Path) -> dict[str, torch.Tensor]:
    return dict(AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32).state_dict())


def test_sft_trains_on_verified_rows_and_moves_the_weights(
    config_file: Path, tiny: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "run"
    arguments = ["sft", str(config_file), "--out", str(out), "--json", "--set", "batch_size=4", "--set", "epochs=2"]
    assert main(arguments) == 0
    metrics = json.loads(capsys.readouterr().out)
    assert (metrics["rows"], metrics["failed"], metrics["masked"]) == (8, [], [])
    assert metrics["steps"][-1]["loss"] < metrics["steps"][0]["loss"]
    assert metrics["weight_change_l2"] > 0
    rows = [json.loads(line) for line in (out / "rows.jsonl").read_text().splitlines()]
    assert len(rows) == 8
    start, end = read_weights(tiny), read_weights(out / "model")
    assert any(not torch.equal(start[name], end[name]) for name in start)

    assert main([*arguments, "--address", "tcp://127.0.0.1:1"]) == 0
    assert "already finished" in capsys.readouterr().err
    assert main([*arguments, "--seed", "1"]) == 2
    assert "differences in seed" in capsys.readouterr().err


def test_sft_gives_the_same_weights_twice(config_file: Path, tmp_path: Path) -> None:
    for name in ("one", "two"):
        assert main(["sft", str(config_file), "--out", str(tmp_path / name), "--set", "rows=4"]) == 0
    one, two = read_weights(tmp_path / "one" / "model"), read_weights(tmp_path / "two" / "model")
    assert all(torch.equal(one[name], two[name]) for name in one)


def test_sft_leaves_out_and_reports_a_demonstration_that_does_not_pass(
    config_file: Path, tmp_path: Path, tasks_file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first, second = map(json.loads, tasks_file.read_text().splitlines()[:2])
    rows = tmp_path / "rows.jsonl"
    good = {"task": first["id"], "prompt": first["prompt"], "script": "cat $(find . -name '*.txt') > $REPORT"}
    bad = {"task": second["id"], "prompt": second["prompt"], "script": "true"}
    rows.write_text(f"{json.dumps(good)}\n{json.dumps(bad)}\n")
    status = main(["sft", str(config_file), "--tasks", str(rows), "--out", str(tmp_path / "run"), "--json"])
    metrics = json.loads(capsys.readouterr().out)
    assert (status, metrics["rows"], metrics["failed"]) == (1, 1, [second["id"]])


def test_sft_refuses_a_held_out_task(
    config_file: Path, tmp_path: Path, tasks_file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    task = json.loads(tasks_file.read_text().splitlines()[0])
    rows = tmp_path / "rows.jsonl"
    rows.write_text(json.dumps({**task, "id": "cliff-d4-n1-s0"}) + "\n")
    assert main(["sft", str(config_file), "--tasks", str(rows), "--out", str(tmp_path / "run")]) == 2
    assert "error[E_SPLIT]" in capsys.readouterr().err
    assert not (tmp_path / "run").exists()


def test_sft_refuses_tasks_of_another_generator(
    config_file: Path, tmp_path: Path, tasks_file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    task = json.loads(tasks_file.read_text().splitlines()[0])
    rows = tmp_path / "rows.jsonl"
    rows.write_text(json.dumps({**task, "generator": "0.0.1"}) + "\n")
    assert main(["sft", str(config_file), "--tasks", str(rows), "--out", str(tmp_path / "run")]) == 2
    assert "error[E_GENERATOR]" in capsys.readouterr().err


def test_grpo_plays_episodes_and_reports_each_step(
    config_file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    small = ["steps=2", "group_size=2", "max_completion_tokens=8"]
    flags = [flag for value in small for flag in ("--set", value)]
    assert main(["grpo", str(config_file), "--out", str(tmp_path / "run"), "--json", *flags]) == 0
    metrics = json.loads(capsys.readouterr().out)
    assert [step["step"] for step in metrics["steps"]] == [1, 2]
    # Random weights write no script: every completion is a format failure, which is reward 0 and no masked episode.
    assert (metrics["completions"], metrics["format_failures"], metrics["masked"]) == (8, 8, 0)
    assert {"reward_mean", "reward_spread", "kl", "weight_change_l2"} <= metrics["steps"][0].keys()
    assert (tmp_path / "run" / "model" / "config.json").is_file()


# BR-28: all rewards of a group are equal.
def test_grpo_changes_nothing_when_the_reward_is_constant_and_beta_is_0(
    config_file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    control = ['reward="constant"', "beta=0", "steps=2", "group_size=2", "max_completion_tokens=8", "learning_rate=0.1"]
    flags = [flag for value in control for flag in ("--set", value)]
    assert main(["grpo", str(config_file), "--out", str(tmp_path / "run"), "--json", *flags]) == 0
    metrics = json.loads(capsys.readouterr().out)
    assert (metrics["weight_change_l2"], metrics["weight_change_max"]) == (0.0, 0.0)


class _StandInReward(ConstantReward):
    """Rewards by position within the batch."""

    def __init__(self, rewards: Sequence[float | None]) -> None:
        super().__init__()
        self._rewards = list(rewards)

    def __call__(self, completions: Sequence[Sequence[Message]], task: Sequence[str], **_: Any) -> list[float | None]:
        assert len(completions) == len(self._rewards)
        self.scored.append(Scored(tuple(task), tuple(self._rewards), 0, 0))
        return self._rewards


def train_with(rewards: Sequence[float | None], config: GrpoConfig, out: Path) -> dict[str, Any]:
    folder = RunFolder(out, "grpo", config)
    folder.begin()
    rows = make_rows(read_tasks(Path(config.tasks)), config)
    return train_grpo(config, rows, _StandInReward(rewards), folder)


def test_grpo_moves_the_weights_when_rewards_differ_within_a_group(
    tiny: Path, tasks_file: Path, tmp_path: Path
) -> None:
    config = make_grpo_config(tiny, tasks_file, beta=0)
    metrics = train_with([1, 0, 1, 0, 0, 0, 0, 0], config, tmp_path / "run")
    assert metrics["weight_change_l2"] > 0
    assert metrics["steps"][0]["reward_spread"] == 0.25


# BR-28: one masked episode in a group of four.
def test_grpo_learns_nothing_from_a_masked_episode(tiny: Path, tasks_file: Path, tmp_path: Path) -> None:
    config = make_grpo_config(tiny, tasks_file, beta=0)
    # Were None taken for 0, the first group would have a spread and move the weights.
    metrics = train_with([1, 1, None, 1, 0, 0, 0, None], config, tmp_path / "run")
    assert (metrics["weight_change_max"], metrics["masked"]) == (0.0, 2)
    assert metrics["steps"][0]["reward_mean"] == 0.5


# BR-28: every episode of the groups is masked.
def test_grpo_stays_finite_when_a_whole_step_is_masked(tiny: Path, tasks_file: Path, tmp_path: Path) -> None:
    config = make_grpo_config(tiny, tasks_file)
    metrics = train_with([None] * 8, config, tmp_path / "run")
    assert math.isfinite(metrics["weight_change_l2"])
    assert metrics["steps"][0]["reward_mean"] is None


def test_episode_reward_scores_scripts_and_counts_a_format_failure_as_0(server: Server) -> None:
    answers = [format_answer("cat $(find . -name '*.txt') > $REPORT"), format_answer("true"), "no script here"]
    with Client(server.zeromq) as client:
        reward = EpisodeReward(client)
        found = reward([[{"role": "assistant", "content": answer}] for answer in answers], [TASK] * 3, [1, 1, 1])
    assert found == [1.0, 0.0, 0.0]
    assert reward.scored[0].summary()["format_failures"] == 1
    assert reward.scored[0].summary()["passed"] == 1


def test_episode_reward_gives_none_for_a_masked_episode() -> None:
    class MaskingClient:
        def score_scripts(self, jobs: Sequence[ScriptJob]) -> list[Grade]:
            return [MASKED for _ in jobs]

    reward = EpisodeReward(cast("Client", MaskingClient()))
    answers = [format_answer("true"), "no script here"]
    assert reward([[{"role": "assistant", "content": answer}] for answer in answers], [TASK] * 2, [1, 1]) == [None, 0.0]
    assert reward.scored[0].summary()["masked"] == 1


def test_make_rows_takes_another_sample_each_round_over_the_tasks(tiny: Path, tasks_file: Path) -> None:
    config = make_grpo_config(tiny, tasks_file, steps=10, prompts_per_step=2)
    rows = make_rows(read_tasks(tasks_file), config)
    assert [row["sample"] for row in rows] == [1] * 8 + [2] * 8 + [3] * 4
    assert len({(row["task"], row["sample"]) for row in rows}) == 20
