"""The five kinds of action, as messages."""

from collections.abc import Sequence

from muxgym._proto import gym_pb2 as wire


def make_command(command: str) -> wire.Action:
    return wire.Action(command=command)


def make_script(script: str) -> wire.Action:
    return wire.Action(script=script)


def make_keys(target: str, keys: Sequence[str]) -> wire.Action:
    if isinstance(keys, str):
        raise TypeError("Cannot send keys: expected a list of keys, found one string")
    return wire.Action(keys=wire.Keys(target=target, keys=keys))


def make_wait(ticks: int) -> wire.Action:
    return wire.Action(wait_ticks=ticks)


def make_done() -> wire.Action:
    return wire.Action(done=True)
