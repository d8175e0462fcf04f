"""What training asks of a server before and while it plays, with stand-ins for servers that are not well."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, cast

import pytest

from muxgym import BusyError, Client, Description, Grade, ScriptJob
from muxgym.train import cli
from muxgym.train.config import SftConfig
from muxgym.train.failure import UsageError
from muxgym.train.scoring import check_server, score
from muxgym.train.tasks import TrainingTask

SERVER = Description("0.1.0", "1.0.0", "uid", "3.3a", "", 16, 6.0, 900.0, 1 << 20, "s")
TASK = TrainingTask("cliff-d0-n1-s1", "prompt", "1.0.0", 1, {})
GRADE = Grade("scored", 1.0, passed=True, flags=(), boundary=None, failure=None, checks=())


class StandInClient:
    """Describes itself as told, and is busy for a while."""

    def __init__(self, *, rung: str = "uid", busy: int = 0) -> None:
        self.rung = rung
        self.busy = busy

    def describe(self) -> Description:
        return replace(SERVER, rung=self.rung)

    def score_scripts(self, jobs: Sequence[ScriptJob]) -> list[Grade]:
        self.busy -= 1
        if self.busy >= 0:
            raise BusyError("E_BUSY", "Cannot take more", retry_after_s=0.0)
        return [GRADE for _ in jobs]


def make_client(**options: Any) -> Client:
    return cast("Client", StandInClient(**options))


@pytest.mark.parametrize(
    ("rung", "least"), [("bare", "uid"), ("uid", "bubblewrap"), ("bare", "bubblewrap"), ("something new", "bare")]
)
def test_check_server_refuses_a_server_that_isolates_less_than_asked(rung: str, least: Any) -> None:
    config = SftConfig(model="m", tasks="t", min_rung=least)
    with pytest.raises(UsageError) as raised:
        check_server(make_client(rung=rung), config, [TASK])
    assert raised.value.code == "E_RUNG"


@pytest.mark.parametrize(("rung", "least"), [("bubblewrap", "uid"), ("uid", "uid"), ("bare", "bare")])
def test_check_server_takes_a_server_that_isolates_well_enough(rung: str, least: Any) -> None:
    config = SftConfig(model="m", tasks="t", min_rung=least)
    assert check_server(make_client(rung=rung), config, [TASK]).rung == rung


def test_check_server_refuses_tasks_of_another_generator() -> None:
    with pytest.raises(UsageError) as raised:
        check_server(make_client(), SftConfig(model="m", tasks="t"), [replace(TASK, generator="0.9.0")])
    assert raised.value.code == "E_GENERATOR"


def test_score_tries_again_while_the_server_is_busy() -> None:
    assert score(make_client(busy=3), [ScriptJob(TASK.id, "true")]) == [GRADE]


def test_score_raises_busy_error_when_the_server_stays_busy() -> None:
    with pytest.raises(BusyError):
        score(make_client(busy=1000), [ScriptJob(TASK.id, "true")])


@pytest.mark.parametrize(("error", "status"), [(KeyboardInterrupt(), 130), (RuntimeError("it broke"), 3)])
def test_main_ends_with_130_when_interrupted_and_3_for_what_was_not_foreseen(
    error: BaseException, status: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail() -> None:
        raise error

    monkeypatch.setattr(cli, "_require_packages", fail)
    assert cli.main(["model", "--out", "somewhere", "--json"]) == status
    assert capsys.readouterr().out == ""
