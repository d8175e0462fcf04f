"""What ends a command: a user's mistake (exit code 2) or broken machinery (exit code 3)."""


class CommandError(Exception):
    """One line: `error[CODE]: what, at where: expected …, found …`, then a hint."""

    exit_code = 3

    def __init__(
        self, code: str, what: str, where: str = "", expected: str = "", found: str = "", hint: str = ""
    ) -> None:
        place = f", at {where}" if where else ""
        wanted = f": expected {expected}" if expected else ""
        got = f", found {found}" if found else ""
        super().__init__(f"{what}{place}{wanted}{got}")
        self.code = code
        self.hint = hint


class UsageError(CommandError):
    """A flag, a config, a file of the user: nothing was run."""

    exit_code = 2


class MachineryError(CommandError):
    """A server, a package, a disk."""
