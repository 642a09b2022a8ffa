"""Sends several requests at a time, but never two about the same target.

The server keeps a copy of the edges in its search index, in the document of their target, and the lineage view shows that
copy. Of two writes with the same target under way at once one is lost there, silently. So each target has a lane: what is
in it happens one after the other, whoever does it, and only lanes run side by side.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from queue import SimpleQueue
from threading import Event
from typing import TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")


def lanes_of(items: Iterable[Item], target: Callable[[Item], Hashable]) -> list[list[Item]]:
    """The items by target, the longest lane first, so that it does not end alone."""
    lanes: dict[Hashable, list[Item]] = {}
    for item in items:
        lanes.setdefault(target(item), []).append(item)
    return sorted(lanes.values(), key=len, reverse=True)


def in_lanes(
    pool: ThreadPoolExecutor, lanes: Iterable[Sequence[Item]], work: Callable[[Item], Result]
) -> Iterator[Result]:
    """Do the work for every item; the results come as soon as they are there.

    After an exception nothing more is begun. What was under way has arrived, or has failed too; it is told before the
    exception is raised.
    """
    results: SimpleQueue[tuple[Result] | BaseException | None] = SimpleQueue()
    stop = Event()

    def follow(lane: Sequence[Item]) -> None:
        try:
            for item in lane:
                if stop.is_set():
                    return
                results.put((work(item),))
        except BaseException as error:  # noqa: BLE001  raised again where the results are read
            stop.set()
            results.put(error)
        finally:
            results.put(None)

    under_way = [pool.submit(follow, lane) for lane in lanes]
    failure: BaseException | None = None
    try:
        open_lanes = len(under_way)
        while open_lanes:
            found = results.get()
            if found is None:
                open_lanes -= 1
            elif isinstance(found, BaseException):
                failure = failure or found
            else:
                yield found[0]
    finally:
        stop.set()  # also when the caller no longer consumes the results
        for future in under_way:
            future.cancel()
    if failure is not None:
        raise failure
