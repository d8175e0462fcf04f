"""Lists of tasks by their place. A server makes them; here the pages that were used last are kept."""

from collections import OrderedDict
from collections.abc import AsyncIterator, Iterator, Sequence
from typing import TYPE_CHECKING, Self, overload

from muxgym import calls
from muxgym.answer import parse_answer
from muxgym.calls import TaskQuery
from muxgym.values import Task, TaskPage

if TYPE_CHECKING:
    from muxgym.async_client import AsyncClient
    from muxgym.client import Client

#: Tasks in a page.
_PAGE = 64
_KEPT_PAGES = 64


class _Pages:
    """The pages that are here, the one used last at the end."""

    def __init__(self) -> None:
        self._pages: OrderedDict[int, tuple[Task, ...]] = OrderedDict()

    def find(self, number: int) -> tuple[Task, ...] | None:
        if number in self._pages:
            self._pages.move_to_end(number)
        return self._pages.get(number)

    def keep(self, number: int, tasks: tuple[Task, ...]) -> tuple[Task, ...]:
        self._pages[number] = tasks
        while len(self._pages) > _KEPT_PAGES:
            self._pages.popitem(last=False)
        return tasks


class TaskList(Sequence[Task]):
    """`tasks[5]`, `tasks[2:8]`, `for task in tasks`; `len(tasks)` where the list has an end. Can be pickled."""

    def __init__(self, client: "Client", query: TaskQuery) -> None:
        """Asks the server for the first page, so that a mistake in the query is raised here."""
        self._client = client
        self.query = query
        self._pages = _Pages()
        first = self._load(0)
        self._pages.keep(0, first.tasks)
        #: None where the list has no end.
        self.size: int | None = first.size

    def __len__(self) -> int:
        if self.size is None:
            raise TypeError("Cannot count a list of tasks without end: give size= or seeds=, or use .size")
        return self.size

    def __bool__(self) -> bool:
        return True

    @overload
    def __getitem__(self, place: int) -> Task: ...
    @overload
    def __getitem__(self, place: slice) -> list[Task]: ...
    def __getitem__(self, place: int | slice) -> Task | list[Task]:
        if isinstance(place, slice):
            return [self[each] for each in _places(place, self.size)]
        index = _index(place, self.size)
        return self._page(index // _PAGE)[index % _PAGE]

    def __iter__(self) -> Iterator[Task]:
        number = 0
        while page := self._page(number):
            yield from page
            number += 1

    def score_answer(self, answer: str, task: Task, *, sample: int = 0) -> float | None:
        """The reward of an answer that holds one script (see `parse_answer`); None where the gym itself failed."""
        script = parse_answer(answer)
        return 0.0 if script is None else self._client.score_scripts([(task.id, script)], sample=sample)[0].reward

    def __repr__(self) -> str:
        return f"TaskList({self.query!r}, size={self.size})"

    def _page(self, number: int) -> tuple[Task, ...]:
        known = self._pages.find(number)
        return self._pages.keep(number, self._load(number).tasks) if known is None else known

    def _load(self, number: int) -> TaskPage:
        return self._client.run(lambda client: calls.list_tasks(client, self.query, number * _PAGE, _PAGE), renew=True)


class AsyncTaskList:
    """As `TaskList`, for asyncio."""

    def __init__(self, client: "AsyncClient", query: TaskQuery, first: TaskPage) -> None:
        self._client = client
        self.query = query
        self._pages = _Pages()
        self._pages.keep(0, first.tasks)
        self.size = first.size

    @classmethod
    async def open(cls, client: "AsyncClient", query: TaskQuery) -> Self:
        first = await client.run(lambda name: calls.list_tasks(name, query, 0, _PAGE), renew=True)
        return cls(client, query, first)

    async def at(self, place: int) -> Task:
        index = _index(place, self.size)
        return (await self._page(index // _PAGE))[index % _PAGE]

    async def __aiter__(self) -> AsyncIterator[Task]:
        number = 0
        while page := await self._page(number):
            for task in page:
                yield task
            number += 1

    def __repr__(self) -> str:
        return f"AsyncTaskList({self.query!r}, size={self.size})"

    async def _page(self, number: int) -> tuple[Task, ...]:
        known = self._pages.find(number)
        if known is not None:
            return known
        page = await self._client.run(
            lambda client: calls.list_tasks(client, self.query, number * _PAGE, _PAGE), renew=True
        )
        return self._pages.keep(number, page.tasks)


def _index(place: int, size: int | None) -> int:
    """Counts from the end where there is one, as lists do."""
    index = place + size if place < 0 and size is not None else place
    if index < 0 or (size is not None and index >= size):
        raise IndexError(f"Cannot find task {place}: the list has {'no end' if size is None else f'{size} tasks'}")
    return index


def _places(places: slice, size: int | None) -> range:
    if size is not None:
        return range(*places.indices(size))
    if places.stop is None or places.stop < 0 or (places.start or 0) < 0:
        raise IndexError("Cannot cut that slice from a list without end: expected a start and a stop from 0")
    return range(*places.indices(places.stop))
