"""The folder that a training run writes: config.json first, metrics.json last."""

import json
import os
import shutil
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any, Protocol

from muxgym.train.config import CommonConfig
from muxgym.train.failure import UsageError

#: Keys that say where, and decide no result: the same server may come back on another port.
_PLACES = {"address"}


class Saver(Protocol):
    """Something that writes itself into a folder, as models and tokenizers do."""

    def save_pretrained(self, save_directory: str | os.PathLike[str]) -> Any: ...


class RunFolder:
    """A run that finished is left as it is; one that did not is begun again; another config is refused."""

    def __init__(self, out: Path, command: str, config: CommonConfig) -> None:
        self._out = out
        self._config = {"command": command, **asdict(config)}

    @property
    def model(self) -> Path:
        return self._out / "model"

    @property
    def metrics(self) -> Path:
        return self._out / "metrics.json"

    @property
    def scratch(self) -> Path:
        """What the trainer leaves lying about; removed by `finish`."""
        return self._out / ".scratch"

    def finished(self) -> dict[str, Any] | None:
        """The metrics of a run that is complete. Raises UsageError (E_OUT) for a folder that is something else's."""
        if not self._out.exists() or not any(self._out.iterdir()):
            return None
        try:
            found = json.loads((self._out / "config.json").read_text())
        except (FileNotFoundError, json.JSONDecodeError) as cause:
            raise UsageError("E_OUT", "Cannot write", str(self._out), "a new or empty folder", "other files") from cause
        keys = sorted(key for key in {*found, *self._config} - _PLACES if found.get(key) != self._config.get(key))
        if keys:
            raise UsageError(
                "E_OUT",
                "Cannot resume a run under another config",
                str(self._out),
                "the same config",
                f"differences in {', '.join(keys)}",
                "choose another --out",
            )
        return self._read_metrics()

    def begin(self) -> None:
        shutil.rmtree(self._out, ignore_errors=True)
        self._out.mkdir(parents=True)
        _write_whole(self._out / "config.json", self._config)

    def write_rows(self, name: str, rows: list[dict[str, Any]]) -> None:
        (self._out / name).write_text("".join(f"{json.dumps(row)}\n" for row in rows))

    def save_model(self, *parts: Saver) -> None:
        """The folder `model` appears complete or not at all."""
        work = self._out / ".model"
        for part in parts:
            part.save_pretrained(work)
        work.rename(self.model)

    def finish(self, metrics: Mapping[str, Any]) -> None:
        shutil.rmtree(self.scratch, ignore_errors=True)
        _write_whole(self.metrics, metrics)

    def _read_metrics(self) -> dict[str, Any] | None:
        try:
            metrics: dict[str, Any] = json.loads(self.metrics.read_text())
        except FileNotFoundError:
            return None
        return metrics


def _write_whole(path: Path, value: Mapping[str, Any]) -> None:
    work = path.with_name(f".{path.name}")
    work.write_text(json.dumps(value, indent=2) + "\n")
    work.replace(path)
