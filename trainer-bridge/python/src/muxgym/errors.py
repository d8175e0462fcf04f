"""What the client raises. Whatever an agent can cause is data in a step or a grade, never an exception."""

from typing import Any


class MuxgymError(Exception):
    """A refusal by the server, or a call that got no answer.

    `code` is stable, such as "E_SPLIT"; `boundary` names the part of the machinery that failed, "" for a refusal.
    """

    def __init__(
        self, code: str, message: str, *, hint: str = "", boundary: str = "", retry_after_s: float = 0.0
    ) -> None:
        super().__init__(message)
        self.code = code
        self.hint = hint
        self.boundary = boundary
        #: Seconds to wait before the next try; 0 unless a later try may succeed.
        self.retry_after_s = retry_after_s

    def __str__(self) -> str:
        return f"[{self.code}] {super().__str__()}" + (f" ({self.hint})" if self.hint else "")

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.code, *self.args), self.__dict__


class SplitError(MuxgymError):
    """The task is held out by the split that is served, or that this client chose."""


class BusyError(MuxgymError):
    """The server has no place now, or is draining; nothing was done. `retry_after_s` says when to try again."""


class LeaseExpired(MuxgymError):
    """The server does not know the client or the episode any more; what it held has ended."""


class TaskError(MuxgymError, ValueError):
    """There is no such task, or the server cannot pose it."""


class ProtocolError(MuxgymError):
    """The other side speaks another version, or what arrived is no message of this protocol."""


class ServerUnreachable(MuxgymError, ConnectionError):
    """Nothing answers at the address."""


class Timeout(MuxgymError, TimeoutError):
    """The server lives, but the answer did not come in time. The same call may be repeated; nothing is done twice."""


_CODES: tuple[tuple[type[MuxgymError], tuple[str, ...]], ...] = (
    (SplitError, ("E_SPLIT", "E_SPLIT_NAME", "E_SPLIT_WIDER")),
    (BusyError, ("E_BUSY", "E_DRAINING")),
    (LeaseExpired, ("E_LEASE", "E_EPISODE")),
    (
        TaskError,
        ("E_TASK", "E_TASK_ID", "E_SUITE", "E_PROFILE", "E_DEPTH", "E_OPS", "E_SEED", "E_RANGE", "E_PARAPHRASE"),
    ),
    (TaskError, ("E_KIND", "E_LEVEL", "E_EVENT_COUNT", "E_ARM", "E_DELEGATION", "E_AXIS", "E_EMPTY", "E_LIST_SIZE")),
    (ProtocolError, ("E_PROTOCOL", "E_PROTOBUF", "E_FRAME", "E_METHOD", "E_SIZE")),
)
_CLASSES = {code: kind for kind, codes in _CODES for code in codes}


def make_refusal(code: str, message: str, *, hint: str, boundary: str, retry_after_s: float) -> MuxgymError:
    """The exception for a refusal that arrived; a code without a class of its own is a plain MuxgymError."""
    kind = _CLASSES.get(code, MuxgymError)
    return kind(code, message, hint=hint, boundary=boundary, retry_after_s=retry_after_s)
