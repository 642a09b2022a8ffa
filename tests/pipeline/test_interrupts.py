"""Spark's client may answer an interrupt with an error of its own. The run ends all the same."""

from __future__ import annotations

from typing import Any, NoReturn

import pytest
from py4j.protocol import Py4JNetworkError

from connector.errors import UnavailableError
from connector.pipeline.spark.session import spark_failures
from connector.pipeline.spark.steps import Steps


def interrupted_while_tidying(error: Exception) -> NoReturn:
    try:
        raise KeyboardInterrupt
    except KeyboardInterrupt:
        raise error  # noqa: B904 - as the client does


def test_a_step_is_not_retried_after_an_interrupt() -> None:
    calls = []

    def action() -> NoReturn:
        calls.append(1)
        interrupted_while_tidying(Py4JNetworkError("Answer from Java side is empty"))

    session: Any = None
    with pytest.raises(KeyboardInterrupt):
        Steps(session, None).tried(action)
    assert len(calls) == 1


@pytest.mark.parametrize("error", [Py4JNetworkError("empty"), AttributeError("socket"), UnavailableError("gone")])
def test_whatever_replaces_an_interrupt_ends_the_job_as_one(error: Exception) -> None:
    with pytest.raises(KeyboardInterrupt), spark_failures():
        interrupted_while_tidying(error)


def test_errors_without_an_interrupt_stay_errors() -> None:
    with pytest.raises(UnavailableError, match=r"Spark failed during the run: gone\."), spark_failures():
        raise Py4JNetworkError("gone")
    with pytest.raises(AttributeError), spark_failures():
        raise AttributeError("a bug")
