import pickle

import pytest

from muxgym import (
    AsyncClient,
    BusyError,
    Client,
    LeaseExpired,
    MuxgymError,
    ProtocolError,
    ServerUnreachable,
    SplitError,
    TaskError,
    Timeout,
    actions,
    calls,
)
from muxgym import transport as transport_module
from muxgym._proto import gym_pb2 as wire
from scripted_server import refuse, serve_scripted

TASK = "cliff-d0-n1-s1"


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        ("E_SPLIT", SplitError),
        ("E_SPLIT_WIDER", SplitError),
        ("E_BUSY", BusyError),
        ("E_DRAINING", BusyError),
        ("E_EPISODE", LeaseExpired),
        ("E_TASK", TaskError),
        ("E_DEPTH", TaskError),
        ("E_PROTOCOL", ProtocolError),
        ("E_FRAME", ProtocolError),
        ("E_SOMETHING_NEW", MuxgymError),
    ],
)
def test_create_raises_the_class_of_a_refusal_with_its_code(code: str, kind: type[MuxgymError]) -> None:
    with (
        serve_scripted(lambda *_: refuse(code, hint="do this")) as server,
        Client(server.address) as client,
        pytest.raises(MuxgymError) as raised,
    ):
        client.create(TASK)
    assert type(raised.value) is kind
    assert raised.value.code == code
    assert raised.value.hint == "do this"


def test_busy_error_says_when_to_try_again() -> None:
    with (
        serve_scripted(lambda *_: refuse("E_BUSY", retry_after_ms=1500)) as server,
        Client(server.address) as client,
        pytest.raises(BusyError) as raised,
    ):
        client.create(TASK)
    assert raised.value.retry_after_s == 1.5


def test_muxgym_error_survives_pickling() -> None:
    error = BusyError("E_BUSY", "Cannot do it", retry_after_s=2.0)
    copy = pickle.loads(pickle.dumps(error))
    assert (type(copy), copy.code, str(copy), copy.retry_after_s) == (BusyError, "E_BUSY", str(error), 2.0)


def test_client_raises_server_unreachable_when_nobody_listens() -> None:
    with Client("tcp://127.0.0.1:1", timeout=0.3) as client, pytest.raises(ServerUnreachable) as raised:
        client.describe()
    assert raised.value.code == "E_UNREACHABLE"


def test_client_raises_server_unreachable_when_nobody_listens_on_grpc() -> None:
    with Client("grpc://127.0.0.1:1", timeout=0.3) as client, pytest.raises(ServerUnreachable):
        client.describe()


@pytest.mark.parametrize("address", ["127.0.0.1:5755", "http://127.0.0.1:1", ""])
def test_client_refuses_an_address_that_no_wire_knows(address: str) -> None:
    for kind in (Client, AsyncClient):
        with pytest.raises(ProtocolError, match="expected tcp://HOST:PORT"):
            kind(address)


def test_client_raises_timeout_and_cancels_the_request_when_a_living_server_does_not_answer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(transport_module, "RESEND_AFTER_S", (0.2, 0.2, 0.2))
    with serve_scripted(lambda *_: None) as server, Client(server.address, timeout=2.5) as client:
        with pytest.raises(Timeout):
            client.create(TASK)
        client.describe()  # the cancellation, posted before it, has arrived
        creates = [(request, payload) for request, method, payload in server.seen if method == "Create"]
        assert len(creates) == 4
        assert len(set(creates)) == 1
        key = wire.CreateRequest.FromString(creates[0][1]).request
        cancels = [wire.CancelRequest.FromString(payload) for _, method, payload in server.seen if method == "Cancel"]
        assert [cancel.request for cancel in cancels] == [key]


def test_client_refuses_a_server_of_another_protocol() -> None:
    reply = wire.DescribeReply(protocol=2).SerializeToString()
    with pytest.raises(ProtocolError, match="expected protocol 1, found 2"):
        calls.describe("client", "").read(reply)


@pytest.mark.parametrize("reply", [(b"ok", b"\xff\xff\xff"), (b"maybe", b""), (b"error", b"\xff\xff\xff")])
def test_client_raises_protocol_error_when_the_reply_is_no_message(reply: tuple[bytes, bytes]) -> None:
    with serve_scripted(lambda *_: reply) as server, Client(server.address) as client, pytest.raises(ProtocolError):
        client.create(TASK)


def test_client_begins_anew_when_its_lease_has_ended() -> None:
    answers = iter([refuse("E_LEASE"), (b"ok", wire.CreateReply(episodes=[wire.Episode(id="e1")]).SerializeToString())])
    with serve_scripted(lambda *_: next(answers)) as server, Client(server.address) as client:
        assert client.create(TASK).id == "e1"
        assert server.count("Describe") == 2


def test_heartbeat_goes_on_while_no_call_is_made() -> None:
    with serve_scripted(lambda *_: None) as server, Client(server.address) as client:
        client.describe()
        assert server.heartbeats.acquire(timeout=10)
        assert server.heartbeats.acquire(timeout=10)


def test_episode_repeats_an_unanswered_action_under_its_number_and_numbers_another_one_higher() -> None:
    episode_reply = wire.CreateReply(episodes=[wire.Episode(id="e1")]).SerializeToString()
    silent = True

    def answer(method: str, _: bytes) -> tuple[bytes, bytes] | None:
        if method == "Create":
            return b"ok", episode_reply
        return None if silent else (b"ok", b"")

    with serve_scripted(answer) as server, Client(server.address, timeout=0.5) as client:
        episode = client.create(TASK)
        with pytest.raises((Timeout, ServerUnreachable)):
            episode.act("one")
        silent = False
        episode.act("one")
        episode.act("two")
        acts = [wire.ActRequest.FromString(payload) for _, method, payload in server.seen if method == "Act"]
    assert [(act.action.command, act.sequence) for act in acts] == [("one", 1), ("one", 1), ("two", 2)]


def test_episode_reuses_a_number_when_the_action_was_refused() -> None:
    episode_reply = wire.CreateReply(episodes=[wire.Episode(id="e1")]).SerializeToString()
    answers = iter([(b"ok", episode_reply), refuse("E_BUSY"), (b"ok", b"")])
    with serve_scripted(lambda *_: next(answers)) as server, Client(server.address) as client:
        episode = client.create(TASK)
        with pytest.raises(BusyError):
            episode.act("one")
        episode.act("two")
        acts = [wire.ActRequest.FromString(payload) for _, method, payload in server.seen if method == "Act"]
    assert [act.sequence for act in acts] == [1, 1]


def test_keys_refuses_one_string() -> None:
    with pytest.raises(TypeError, match="a list of keys"):
        actions.make_keys("%0", "Enter")


def test_create_refuses_an_id_beside_axes_and_axes_that_are_incomplete() -> None:
    client = Client("tcp://127.0.0.1:1")
    with pytest.raises(TaskError, match="found both"):
        client.create(TASK, depth=1)
    with pytest.raises(TaskError, match="depth, ops and seed"):
        client.create(suite="cliff", depth=1)
