"""AsyncClient against a real server, over both wires."""

import asyncio
import pickle
import threading

import pytest

from muxgym import AsyncClient, AsyncEpisode, LeaseExpired, ServerUnreachable, SplitError, transport
from muxgym._proto import gym_pb2 as wire
from scripted_server import serve_scripted

TASK = "cliff-d0-n1-s1"


async def _play(episode: AsyncEpisode, word: str) -> str:
    async with episode:
        step = await episode.act(f"echo {word}")
        await episode.wait(1)
        await episode.run_script("cat *.txt > $REPORT")
        assert (await episode.done()).terminated
        assert (await episode.grade()).outcome == "scored"
        return step.observation.text


def test_async_client_plays_many_episodes_at_a_time(address: str) -> None:
    async def play() -> list[str]:
        async with AsyncClient(address) as client:
            episodes = await client.create_group(TASK, size=6)
            return await asyncio.gather(*(_play(episode, f"w{index}") for index, episode in enumerate(episodes)))

    assert asyncio.run(play()) == [f"w{index}\n" for index in range(6)]


def test_async_client_has_the_calls_of_the_client(address: str) -> None:
    async def call() -> None:
        async with pickle.loads(pickle.dumps(AsyncClient(address))) as client:
            assert (await client.describe()).max_episodes > 0
            assert (await client.health()).status == "SERVING"
            assert await client.prefetch([TASK]) in (0, 1)
            assert [grade.reward for grade in await client.score_scripts([(TASK, "true")])] == [0.0]
            with pytest.raises(SplitError):
                await client.create("cliff-d3-n1-s1")
            episode = await client.create(depth=0, ops=1, seed=1)
            await episode.keys("main", ["Enter"])
            await episode.release()
            with pytest.raises(LeaseExpired):
                await episode.act("true")

    asyncio.run(call())


def test_async_client_raises_server_unreachable_when_nobody_listens() -> None:
    async def call() -> None:
        async with AsyncClient("tcp://127.0.0.1:1", timeout=0.3) as client:
            await client.describe()

    with pytest.raises(ServerUnreachable):
        asyncio.run(call())


def test_async_client_cancels_at_the_server_what_its_task_gave_up() -> None:
    async def give_up(address: str) -> None:
        async with AsyncClient(address) as client:
            await client.describe()
            with pytest.raises(TimeoutError):
                await asyncio.wait_for(client.create(TASK), 0.2)
            await client.describe()

    with serve_scripted(lambda *_: None) as server:
        asyncio.run(give_up(server.address))
        created = [wire.CreateRequest.FromString(payload) for _, method, payload in server.seen if method == "Create"]
        cancelled = [wire.CancelRequest.FromString(payload) for _, method, payload in server.seen if method == "Cancel"]
    assert [request.request for request in created] == [request.request for request in cancelled]


def test_async_client_answers_every_call_of_many_at_a_time_over_one_socket(address: str) -> None:
    async def call() -> list[str]:
        async with AsyncClient(address) as client:
            return [health.status for health in await asyncio.gather(*(client.health() for _ in range(500)))]

    assert asyncio.run(call()) == ["SERVING"] * 500


def test_async_client_sends_again_what_got_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transport, "RESEND_AFTER_S", (0.1, 0.1))
    asked = 0

    def answer_third(method: str, _: bytes) -> tuple[bytes, bytes] | None:
        nonlocal asked
        asked += method == "Health"
        return (b"ok", wire.HealthReply(status="SERVING").SerializeToString()) if asked == 3 else None

    async def call(address: str) -> str:
        async with AsyncClient(address, timeout=10) as client:
            return (await client.health()).status

    with serve_scripted(answer_third) as server:
        assert asyncio.run(call(server.address)) == "SERVING"
        assert server.count("Health") == 3


def test_async_client_ends_the_calls_that_wait_when_it_is_closed() -> None:
    asked = threading.Event()

    async def close_early(address: str) -> None:
        client = AsyncClient(address)
        await client.describe()
        waiting = asyncio.create_task(client.create(TASK))
        await asyncio.to_thread(asked.wait)
        await client.close()
        with pytest.raises(ServerUnreachable, match="closed"):
            await waiting

    with serve_scripted(lambda method, _: asked.set() if method == "Create" else None) as server:
        asyncio.run(close_early(server.address))
