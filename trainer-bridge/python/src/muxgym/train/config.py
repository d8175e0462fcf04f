"""Configs of the training commands: TOML, checked before anything runs; every value knows where it came from."""

import tomllib
from collections.abc import Mapping
from dataclasses import MISSING, Field, dataclass, fields
from pathlib import Path
from typing import Any, Literal, TypeVar, get_args, get_origin, get_type_hints

from muxgym.train.failure import UsageError

#: Isolation, strongest first, as the server names it.
RUNGS = ("bubblewrap", "uid", "bare")
Rung = Literal["bubblewrap", "uid", "bare"]


@dataclass(frozen=True, slots=True, kw_only=True)
class CommonConfig:
    """What `sft` and `grpo` share."""

    #: Folder of the checkpoint to start from.
    model: str
    #: A file of `muxgym generate` or of `muxgym export --format sft`: one task a line, with its prompt.
    tasks: str
    #: Where `muxgym serve` listens.
    address: str = "tcp://127.0.0.1:5755"
    #: A narrower split of the file that is served.
    split: str = ""
    #: Refuse to train on a server that isolates less.
    min_rung: Rung = "uid"
    seed: int = 0
    learning_rate: float
    #: Scales the gradient down to this norm.
    max_grad_norm: float = 1.0
    weight_decay: float = 0.0
    #: "cpu", "cuda", or "auto" for the best that is there.
    device: Literal["auto", "cpu", "cuda"] = "auto"


@dataclass(frozen=True, slots=True, kw_only=True)
class SftConfig(CommonConfig):
    """Supervised fine-tuning on demonstrations that the server has verified."""

    learning_rate: float = 3e-4
    #: Tasks to take, drawn by `seed`; the demonstration of each is played once on the server.
    rows: int = 96
    epochs: int = 1
    batch_size: int = 4
    #: Name of the solution that is shown; where a task has none of this name in one script, its first in one script.
    demonstration: str = "loop"
    schedule: Literal["linear", "constant", "cosine"] = "linear"
    #: Longest row in tokens; a longer one is left out and counted.
    max_tokens: int = 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class GrpoConfig(CommonConfig):
    """Group-relative policy optimisation on graded episodes."""

    learning_rate: float = 1e-5
    steps: int = 3
    #: Leaves out tasks with fewer operations: a group in which everyone passes teaches nothing.
    min_ops: int = 1
    prompts_per_step: int = 2
    #: Completions of one prompt, with identical start states.
    group_size: int = 8
    max_completion_tokens: int = 96
    temperature: float = 1.0
    #: Weight of the KL divergence from the starting model.
    beta: float = 0.04
    #: "constant" is the control: with beta 0 the same steps must change nothing.
    reward: Literal["episode", "constant"] = "episode"


Config = TypeVar("Config", bound=CommonConfig)


@dataclass(frozen=True, slots=True)
class Setting:
    """One value and where it came from: "default", a file, or a flag."""

    value: Any
    source: str


def read_config(kind: type[Config], path: Path, overrides: Mapping[str, Setting]) -> tuple[Config, dict[str, Setting]]:
    """The config of a file with overrides on top, and the source of every value. Raises UsageError (E_CONFIG)."""
    settings = {field.name: Setting(field.default, "default") for field in fields(kind) if field.default is not MISSING}
    settings |= {key: Setting(value, str(path)) for key, value in _read_toml(path).items()}
    settings |= overrides
    known = {field.name: field for field in fields(kind)}
    hints = get_type_hints(kind)
    for key, setting in settings.items():
        if key not in known:
            raise UsageError("E_CONFIG", "Cannot use a config key", setting.source, f"one of {', '.join(known)}", key)
        _check(key, setting, hints[key])
    _check_complete(known, settings, path)
    values = {key: _widen(setting.value, hints[key]) for key, setting in settings.items()}
    return kind(**values), settings


def _read_toml(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError as cause:
        raise UsageError("E_CONFIG", "Cannot read the config", str(path), "a TOML file", "nothing") from cause
    except (OSError, UnicodeDecodeError) as cause:
        raise UsageError("E_CONFIG", "Cannot read the config", str(path), "a TOML file", str(cause)) from cause
    except tomllib.TOMLDecodeError as cause:
        raise UsageError("E_CONFIG", "Cannot parse the config", str(path), "TOML", str(cause)) from cause


def _check(key: str, setting: Setting, hint: Any) -> None:
    value = setting.value
    if get_origin(hint) is Literal:
        if value not in get_args(hint):
            raise _wrong(key, setting, f"one of {', '.join(map(repr, get_args(hint)))}")
        return
    allowed = (int, float) if hint is float else (hint,)
    if isinstance(value, bool) or not isinstance(value, allowed):
        raise _wrong(key, setting, {str: "text", int: "a whole number", float: "a number"}[hint])
    minimum = _MINIMA.get(key)
    if minimum is not None and value < minimum:
        raise _wrong(key, setting, f"at least {minimum}")


#: The least value of the numbers that have one.
_MINIMA: dict[str, float] = {
    "seed": 0,
    "learning_rate": 0,
    "max_grad_norm": 0,
    "weight_decay": 0,
    "rows": 1,
    "epochs": 1,
    "batch_size": 1,
    "max_tokens": 16,
    "steps": 1,
    "min_ops": 1,
    "prompts_per_step": 1,
    "group_size": 2,
    "max_completion_tokens": 1,
    "temperature": 0.01,
    "beta": 0,
}


def _wrong(key: str, setting: Setting, expected: str) -> UsageError:
    return UsageError("E_CONFIG", f'Cannot use config key "{key}"', setting.source, expected, repr(setting.value))


def _check_complete(known: Mapping[str, Field[Any]], settings: Mapping[str, Setting], path: Path) -> None:
    missing = [key for key in known if key not in settings]
    if missing:
        raise UsageError("E_CONFIG", "Cannot use the config", str(path), f"values for {', '.join(missing)}", "none")


def _widen(value: Any, hint: Any) -> Any:
    return float(value) if hint is float else value


def parse_override(text: str) -> tuple[str, Setting]:
    """`KEY=VALUE` of `--set`: the value as TOML has it, or plain text."""
    key, equals, value = text.partition("=")
    if not equals:
        raise UsageError("E_USAGE", "Cannot use --set", text, "KEY=VALUE", "no =")
    try:
        parsed = tomllib.loads(f"value = {value}")["value"]
    except tomllib.TOMLDecodeError:
        parsed = value
    return key.strip(), Setting(parsed, "--set")
