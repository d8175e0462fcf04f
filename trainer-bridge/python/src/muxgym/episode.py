"""One episode, as the client sees it."""

from collections.abc import Sequence as List
from types import TracebackType
from typing import TYPE_CHECKING, NoReturn, Self

from muxgym import actions, calls
from muxgym._proto import gym_pb2 as wire
from muxgym.errors import LeaseExpired, MuxgymError, ServerUnreachable, Timeout
from muxgym.sequence import Sequence
from muxgym.values import EpisodeStart, Grade, Observation, Step, TruncationReason

if TYPE_CHECKING:
    from muxgym.client import Client


class Episode:
    """Lives at the server until it is released; a `with` block releases it. Not for two threads at once."""

    def __init__(self, client: "Client", start: EpisodeStart) -> None:
        self._client = client
        self._sequence = Sequence()
        self.id = start.id
        self.task = start.task
        self.task_hash = start.task_hash
        self.prompt = start.prompt
        #: What was seen last; before the first action, what the reset showed.
        self.observation: Observation = start.observation
        self.max_steps = start.max_steps

    def act(self, command: str) -> Step:
        """Runs one shell command by `bash -c`. Each starts a fresh shell: no state but files and tmux."""
        return self._act(actions.make_command(command))

    def run_script(self, script: str) -> Step:
        """Runs a whole script as one action."""
        return self._act(actions.make_script(script))

    def keys(self, target: str, keys: List[str]) -> Step:
        """Sends keys to a pane, each as tmux `send-keys` takes it."""
        return self._act(actions.make_keys(target, keys))

    def wait(self, ticks: int = 1) -> Step:
        """Lets the virtual clock run."""
        return self._act(actions.make_wait(ticks))

    def done(self) -> Step:
        """Says that the work is finished; the step carries the grade."""
        return self._act(actions.make_done())

    def grade(self, truncated_by: TruncationReason | None = None) -> Grade:
        """Ends the episode and grades it; a repeat returns the same grade.

        `truncated_by` ("context" or "time") marks an episode that the policy had to cut.
        """
        return self._client.run(lambda client: calls.grade(client, self.id, truncated_by))

    def release(self) -> None:
        """Ends the episode and forgets it. Idempotent; one that the server has forgotten is released."""
        try:
            self._client.run(lambda client: calls.release(client, self.id))
        except LeaseExpired:
            return

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            self.release()
        except MuxgymError:
            if error is None:
                raise

    def __reduce__(self) -> NoReturn:
        raise TypeError("Cannot pickle an episode: it belongs to the client that created it; send its task id instead")

    def __repr__(self) -> str:
        return f"Episode({self.id!r}, task={self.task!r})"

    def _act(self, action: wire.Action) -> Step:
        number = self._sequence.number(action.SerializeToString(deterministic=True))
        try:
            step = self._client.run(lambda client: calls.act(client, self.id, number, action))
        except (Timeout, ServerUnreachable):
            raise
        except MuxgymError:
            self._sequence.refused()
            raise
        self._sequence.answered()
        self.observation = step.observation
        return step
