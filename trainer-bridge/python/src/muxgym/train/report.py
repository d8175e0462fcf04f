"""What a command says: progress on stderr, the result on stdout, one line an error."""

import json
import sys
from collections.abc import Mapping
from typing import Any

from muxgym.errors import MuxgymError, SplitError, TaskError
from muxgym.train.failure import CommandError


def say(line: str) -> None:
    """Progress."""
    sys.stderr.write(f"{line}\n")
    sys.stderr.flush()


def print_json(value: Mapping[str, Any]) -> None:
    sys.stdout.write(f"{json.dumps(value)}\n")


def print_lines(lines: list[str]) -> None:
    sys.stdout.write("".join(f"{line}\n" for line in lines))


def print_error(error: CommandError | MuxgymError) -> int:
    """Returns the exit code: 2 for what the user can mend, 3 for machinery."""
    message = error.args[0]
    sys.stderr.write(f"error[{error.code}]: {message}\n")
    if error.hint:
        sys.stderr.write(f"hint: {error.hint}\n")
    if isinstance(error, CommandError):
        return error.exit_code
    return 2 if isinstance(error, (SplitError, TaskError)) else 3
