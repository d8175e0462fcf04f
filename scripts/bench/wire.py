"""Measures a served muxgym with its Python client: no-op steps, alone and 64 at a time, and 64 scored scripts.

A no-op step repeats an action that was already taken. It goes the whole way of a step, and the server answers it from
memory: what is measured is the service, not the world.

usage: wire.py ADDRESS SECONDS BATCHES     prints {"step_ms": [...], "steps_per_s": [...], "score_64_s": [...]}
"""

import asyncio
import json
import sys
import time

from muxgym import AsyncClient, Client, actions, calls

OUTSTANDING = 64
WARM_UP = 50
TASK = "cliff-d0-n1-s0"


def measure_alone(client: Client, episode: str, seconds: float) -> list[float]:
    """Milliseconds a step; the first ones warm up."""
    times: list[float] = []
    end = time.perf_counter() + seconds
    while time.perf_counter() < end or len(times) < 2 * WARM_UP:
        begin = time.perf_counter()
        client.run(lambda name: calls.act(name, episode, 1, actions.make_command(":")))
        times.append(1000 * (time.perf_counter() - begin))
    return times[WARM_UP:]


async def measure_together(address: str, seconds: float) -> list[float]:
    """Steps a second, in three passes after one that warms up."""
    async with AsyncClient(address) as client:
        episodes = await client.create_group(TASK, size=4)
        for episode in episodes:
            await episode.act(":")
        names = [episodes[index % len(episodes)].id for index in range(OUTSTANDING)]
        rates = [await count_steps(client, names, seconds) for _ in range(4)]
        for episode in episodes:
            await episode.release()
    return rates[1:]


async def count_steps(client: AsyncClient, names: list[str], seconds: float) -> float:
    begin = time.perf_counter()

    async def work(episode: str) -> int:
        count = 0
        while time.perf_counter() - begin < seconds:
            await client.run(lambda name: calls.act(name, episode, 1, actions.make_command(":")))
            count += 1
        return count

    total = sum(await asyncio.gather(*map(work, names)))
    return total / (time.perf_counter() - begin)


def measure_scores(client: Client, batches: int) -> list[float]:
    """Seconds for 64 whole single-turn episodes in one call."""
    times: list[float] = []
    for batch in range(batches):
        jobs = [(f"cliff-d{index % 3}-n2-s{64 * batch + index}", "ls > $REPORT") for index in range(64)]
        begin = time.perf_counter()
        grades = client.score_scripts(jobs)
        times.append(time.perf_counter() - begin)
        if any(grade.reward is None for grade in grades):
            raise SystemExit("an episode was masked")
    return times


def main(address: str, seconds: float, batches: int) -> None:
    with Client(address) as client:
        with client.create(TASK) as episode:
            episode.act(":")
            alone = measure_alone(client, episode.id, seconds)
        together = asyncio.run(measure_together(address, seconds))
        scores = measure_scores(client, batches)
    sys.stdout.write(json.dumps({"step_ms": alone, "steps_per_s": together, "score_64_s": scores}) + "\n")


main(sys.argv[1], float(sys.argv[2]), int(sys.argv[3]))
