"""The clients against a real server, over both wires."""

import multiprocessing
import pickle
import re
from concurrent.futures import ThreadPoolExecutor

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc

from conftest import Server
from muxgym import Client, LeaseExpired, MuxgymError, ScriptJob, SplitError, TaskError, calls
from muxgym.actions import make_command

TASK = "cliff-d1-n2-s7"


def test_describe_tells_what_is_served(address: str, server: Server) -> None:
    with Client(address) as client:
        found = client.describe()
        assert found.rung == server.rung
        assert "train" in found.split
        assert client.health().status == "SERVING"


def test_from_env_reads_the_address(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MUXGYM_ADDRESS", address)
    with Client.from_env() as client:
        assert client.describe().max_episodes > 0


def test_episode_is_played_and_graded(address: str) -> None:
    with Client(address) as client, client.create(TASK) as episode:
        names = re.findall(r"@\w+", episode.prompt)
        assert len(names) == 2
        step = episode.act(f"tmux show-options -gv {names[0]}")
        assert re.fullmatch(r"[0-9a-f]{8}\n", step.observation.text)
        assert (step.observation.exit_code, step.terminated, step.truncated, step.reward) == (0, False, False, 0)
        assert episode.observation == step.observation
        waited = episode.wait(3)
        assert waited.tick >= step.tick + 3
        episode.run_script("".join(f"tmux show-options -gv {name} >> $REPORT\n" for name in names))
        done = episode.done()
        assert done.terminated
        grade = episode.grade()
        assert (grade.outcome, grade.reward, grade.passed, grade.flags) == ("scored", 1.0, True, ())
        assert grade.checks[0].ok
        assert done.info.grade == grade
        assert episode.grade() == grade


def test_keys_reach_the_pane(address: str) -> None:
    with Client(address) as client, client.create(TASK) as episode:
        episode.keys("main", ["tmux set -g @typed yes", "Enter"])
        episode.wait(1)
        assert episode.act("tmux show -gv @typed").observation.text == "yes\n"


def test_create_by_axes_names_the_same_task_as_the_id(address: str) -> None:
    with (
        Client(address) as client,
        client.create(TASK) as named,
        client.create(suite="cliff", depth=1, ops=2, seed=7) as spelled,
    ):
        assert named.task_hash == spelled.task_hash


def test_create_group_starts_alike_and_another_sample_has_other_secrets(address: str) -> None:
    def read(client: Client, sample: int) -> list[str]:
        group = client.create_group("cliff-d0-n1-s1", size=2, sample=sample)
        texts = [episode.act("cat $(find . -name '*.txt' -not -name report.txt)").observation.text for episode in group]
        for episode in group:
            episode.release()
        return texts

    with Client(address) as client:
        first, again, other = read(client, 1), read(client, 1), read(client, 2)
    assert re.fullmatch(r"[0-9a-f]{8}\n", first[0])
    assert first == [first[0]] * 2 == again
    assert other[0] != first[0]


def test_score_scripts_gives_one_grade_a_job_in_order(address: str) -> None:
    right = "tmux show-options -g | sed -n 's/^@[a-z0-9]* \\([0-9a-f]\\{8\\}\\)$/\\1/p' > $REPORT"
    with Client(address) as client:
        grades = client.score_scripts([(TASK, "true"), (TASK, right), ScriptJob(TASK, right, sample=3)])
        assert client.score_scripts([]) == []
    assert [grade.reward for grade in grades] == [0.0, 1.0, 1.0]
    assert [grade.passed for grade in grades] == [False, True, True]


def test_client_is_refused_a_held_out_task(address: str) -> None:
    with Client(address) as client:
        with pytest.raises(SplitError) as raised:
            client.create("cliff-d3-n1-s1")
        assert raised.value.code == "E_SPLIT"
        with pytest.raises(SplitError):
            client.score_scripts([("cliff-d0-n1-s1", "true"), ("cliff-d4-n1-s1", "true")])


@pytest.mark.parametrize("task", ["cliff-d7-n1-s1", "cliff-d0-n0-s1", "nonsense"])
def test_client_is_refused_a_task_that_does_not_exist(address: str, task: str) -> None:
    with Client(address) as client, pytest.raises(TaskError):
        client.create(task)


def test_act_never_acts_twice_when_its_request_is_repeated(address: str) -> None:
    with Client(address) as client, client.create(TASK) as episode:

        def act(command: str, sequence: int) -> str:
            action = make_command(command)
            return client.run(lambda name: calls.act(name, episode.id, sequence, action)).observation.text

        assert act("echo x >> count; wc -l < count", 1) == act("echo x >> count; wc -l < count", 1) == "1\n"
        assert act("wc -l < count", 2) == "1\n"


def test_episode_is_unknown_after_its_release(address: str) -> None:
    with Client(address) as client:
        episode = client.create(TASK)
        episode.release()
        episode.release()
        with pytest.raises(LeaseExpired):
            episode.act("true")


def test_episode_belongs_to_its_client(address: str) -> None:
    with Client(address) as owner, Client(address) as other, owner.create(TASK) as episode:
        with pytest.raises(MuxgymError):
            other.run(lambda name: calls.grade(name, episode.id, None))
        assert episode.grade().reward == 0.0


def test_prefetch_takes_on_worlds(address: str) -> None:
    with Client(address) as client:
        assert client.prefetch([TASK]) in (0, 1)
        with client.create(TASK) as episode:
            assert episode.task == TASK


def test_client_may_be_shared_by_threads(address: str) -> None:
    with Client(address) as client, ThreadPoolExecutor(4) as threads:
        grades = list(threads.map(lambda _: client.score_scripts([(TASK, "true")])[0].reward, range(8)))
    assert grades == [0.0] * 8


def test_client_connects_anew_after_close(address: str) -> None:
    client = Client(address)
    first = client.describe()
    client.close()
    client.close()
    assert client.describe().server == first.server
    client.close()


def test_client_survives_pickling_and_an_episode_refuses_it(address: str) -> None:
    with Client(address) as client, client.create(TASK) as episode:
        with pickle.loads(pickle.dumps(client)) as copy:
            assert copy.describe() == client.describe()
        with pytest.raises(TypeError, match="Cannot pickle an episode"):
            pickle.dumps(episode)


def _score_in_child(client: Client) -> float | None:
    return client.score_scripts([(TASK, "true")])[0].reward


def test_client_is_one_of_its_own_in_a_forked_child(server: Server) -> None:
    with Client(server.zeromq) as client, client.create(TASK) as episode:
        with multiprocessing.get_context("fork").Pool(1) as children:
            assert children.apply(_score_in_child, (client,)) == 0.0
        assert episode.act("echo alive").observation.text == "alive\n"


def test_grpc_health_probe_answers_serving(server: Server) -> None:
    with grpc.insecure_channel(server.grpc) as channel:
        reply = health_pb2_grpc.HealthStub(channel).Check(health_pb2.HealthCheckRequest(service="muxgym.v1.Gym"))
    assert reply.status == health_pb2.HealthCheckResponse.SERVING
