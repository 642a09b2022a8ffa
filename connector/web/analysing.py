"""Runs the analyses of many clients in child processes with time and memory limits, without blocking the event loop."""

from __future__ import annotations

import asyncio
import logging
from concurrent.futures import ThreadPoolExecutor

from connector.guard import GuardPool, Limits, Stopped
from connector.web.refusal import Refusal
from connector.web.settings import ServeSettings
from connector.web.work import Job, Outcome, run_job

_log = logging.getLogger("connector")

_WAITING = 8
"""Callers that may wait for each worker; further ones are asked to retry."""

_WARM = "create view warm as select a, count(*) as n from t where b > 1 group by a"


class Analyser:
    """A pool of guarded children, the threads that wait for them, and the queue before both."""

    def __init__(self, settings: ServeSettings) -> None:
        self._limits = Limits(settings.seconds, settings.memory_mb)
        self._workers = max(1, settings.workers)
        self._pool: GuardPool[Job, Outcome] = GuardPool(run_job, self._limits, self._workers)
        self._threads = ThreadPoolExecutor(self._workers, "analysis")
        self._accepted = 0

    async def warm_up(self) -> None:
        """Let every child load the parser before the first person waits for it."""
        try:
            await asyncio.gather(*[self._call(Job(_WARM)) for _ in range(self._workers)])
        except Stopped as stop:
            _log.error("The first analysis failed, and others may fail too: %s", stop)

    async def close(self) -> None:
        """Stop the children and what they are doing: the clients are gone by now."""
        self._threads.shutdown(wait=False, cancel_futures=True)
        self._pool.interrupt()
        await asyncio.to_thread(self._pool.close)

    async def run(self, job: Job) -> bytes:
        """The content of the answer; `Refusal` when there is none."""
        if self._accepted >= self._workers * (1 + _WAITING):
            raise Refusal(503, "busy", "Too many analyses are waiting; try again in a moment.", retry_after=2)
        self._accepted += 1
        try:
            outcome = await self._call(job)
        except Stopped as stop:
            raise self._stopped(stop) from None
        finally:
            self._accepted -= 1
        if outcome.error is not None:
            raise Refusal(422, "invalid", outcome.error)
        return outcome.content

    async def _call(self, job: Job) -> Outcome:
        return await asyncio.get_running_loop().run_in_executor(self._threads, self._pool.call, job)

    def _stopped(self, stop: Stopped) -> Refusal:
        if stop.reason == "timeout":
            message = f"The analysis was stopped after {self._limits.seconds:g} seconds; try a part of the script."
        elif stop.reason == "memory":
            message = f"The analysis was stopped at {self._limits.memory_mb} MB of memory; try a part of the script."
        elif stop.reason == "depth":
            message = "The SQL is nested too deeply to be analysed."
        else:
            message = "The analysis of this script crashed; nothing else was affected."
        return Refusal(422, stop.reason, message)
