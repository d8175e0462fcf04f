"""muxgym-train before it trains: configs, flags, plans, errors."""

import json
from pathlib import Path

import pytest

from muxgym.train.cli import main
from muxgym.train.config import GrpoConfig, SftConfig, parse_override, read_config
from muxgym.train.failure import UsageError

CONFIGS = Path(__file__).parents[3] / "data" / "train"


@pytest.fixture
def config_file(tmp_path: Path) -> Path:
    path = tmp_path / "sft.toml"
    path.write_text('model = "m"\ntasks = "t"\nrows = 3\n')
    return path


@pytest.mark.parametrize("name", ["sft.toml", "sft.quick.toml"])
def test_sft_configs_of_the_checkout_are_valid(name: str) -> None:
    assert read_config(SftConfig, CONFIGS / name, {})[0].rows > 0


@pytest.mark.parametrize("name", ["grpo.toml", "grpo.quick.toml"])
def test_grpo_configs_of_the_checkout_are_valid_and_keep_to_the_base(name: str) -> None:
    assert read_config(GrpoConfig, CONFIGS / name, {})[0].beta > 0


def test_print_config_tells_where_each_value_came_from(config_file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    flags = ["--seed", "7", "--set", "epochs=2", "--print-config", "--json"]
    assert main(["sft", "--config", str(config_file), *flags]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["rows"] == {"value": 3, "source": str(config_file)}
    assert found["seed"] == {"value": 7, "source": "--seed"}
    assert found["epochs"] == {"value": 2, "source": "--set"}
    assert found["batch_size"]["source"] == "default"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("rows = 3", "values for model, tasks"),
        ('model = "m"\ntasks = "t"\nrows = 0', "at least 1"),
        ('model = "m"\ntasks = "t"\nrows = true', "a whole number"),
        ('model = "m"\ntasks = 3', "text"),
        ('model = "m"\ntasks = "t"\nlearning_rate = "fast"', "a number"),
        ('model = "m"\ntasks = "t"\nmin_rung = "docker"', "one of 'bubblewrap', 'uid', 'bare'"),
        ('model = "m"\ntasks = "t"\nrow = 3', "one of model, tasks"),
        ("model =", "TOML"),
    ],
)
def test_sft_refuses_a_config_with_its_place(
    text: str, expected: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "bad.toml"
    path.write_text(text)
    assert main(["sft", str(path), "--print-config"]) == 2
    error = capsys.readouterr().err
    assert error.startswith("error[E_CONFIG]: ")
    assert str(path) in error
    assert expected in error


def test_sft_refuses_a_config_that_is_not_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["sft", str(tmp_path / "none.toml")]) == 2
    assert "error[E_CONFIG]" in capsys.readouterr().err
    assert main(["sft"]) == 2
    assert "error[E_USAGE]" in capsys.readouterr().err


def test_main_ends_with_2_for_an_unknown_flag(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["sft", "--bogus"])
    assert ended.value.code == 2
    assert "error[E_USAGE]" in capsys.readouterr().err


def test_parse_override_reads_toml_and_plain_text() -> None:
    assert parse_override("beta=0.1")[1].value == 0.1
    assert parse_override("reward=constant")[1].value == "constant"
    assert parse_override('reward="constant"')[1].value == "constant"
    with pytest.raises(UsageError, match="KEY=VALUE"):
        parse_override("beta")


@pytest.mark.parametrize(
    ("line", "expected"), [("{", "JSON"), ("[]", "an object"), ("{}", '"id or task"'), ('{"id": "x"}', '"prompt"')]
)
def test_sft_refuses_torn_tasks_with_their_line(
    line: str, expected: str, config_file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tasks = tmp_path / "tasks.jsonl"
    tasks.write_text('{"id": "x", "prompt": "p", "script": "true"}\n' + line + "\n")
    out = tmp_path / "run"
    assert main(["sft", str(config_file), "--tasks", str(tasks), "--out", str(out), "--dry-run"]) == 2
    error = capsys.readouterr().err
    assert error.startswith("error[E_TASKS]: ")
    assert f"{tasks}:2" in error
    assert expected in error


def test_sft_refuses_a_model_folder_without_a_checkpoint(
    config_file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tasks = tmp_path / "tasks.jsonl"
    tasks.write_text('{"id": "x", "prompt": "p", "script": "true"}\n')
    flags = ["--tasks", str(tasks), "--out", str(tmp_path / "run"), "--dry-run"]
    assert main(["sft", str(config_file), *flags]) == 2
    assert "muxgym-train model --out" in capsys.readouterr().err


def test_model_says_what_it_would_unpack(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["model", "--out", str(tmp_path / "model"), "--dry-run", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["source"].endswith(".gguf")
    assert not (tmp_path / "model").exists()


def test_model_refuses_a_folder_of_other_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    assert main(["model", "--out", str(tmp_path)]) == 2
    assert "error[E_OUT]" in capsys.readouterr().err
    assert (tmp_path / "mine.txt").read_text() == "mine"


def test_grpo_refuses_tasks_that_are_all_too_easy(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tasks = tmp_path / "tasks.jsonl"
    tasks.write_text('{"id": "x", "prompt": "p", "ops": 2}\n')
    config = tmp_path / "grpo.toml"
    config.write_text(f'model = "m"\ntasks = "{tasks}"\nmin_ops = 4\n')
    assert main(["grpo", str(config), "--out", str(tmp_path / "run"), "--dry-run"]) == 2
    assert "expected tasks with min_ops 4, found at most 2" in capsys.readouterr().err
