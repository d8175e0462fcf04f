"""AsyncClient against a real server, over both wires."""

import asyncio
import pickle

import pytest

from muxgym import AsyncClient, AsyncEpisode, LeaseExpired, ServerUnreachable, SplitError
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
