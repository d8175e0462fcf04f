"""The numbering of an episode's actions."""

from dataclasses import dataclass


@dataclass(slots=True)
class Sequence:
    """An action whose answer never came keeps its number while it is repeated, so that it never acts twice."""

    _done: int = 0
    _pending: bytes | None = None

    def number(self, action: bytes) -> int:
        """The number for this action. An unanswered one that is given up for another keeps its own."""
        if self._pending is not None and self._pending != action:
            self._done += 1
        self._pending = action
        return self._done + 1

    def answered(self) -> None:
        self._done += 1
        self._pending = None

    def refused(self) -> None:
        """The server did not act; the number is free again."""
        self._pending = None
