"""Python looks for cyclic garbage again after a load, however the load ends."""

from __future__ import annotations

import gc

import pytest

from connector.common.collector import collector_paused


@collector_paused()
def fail():
    assert not gc.isenabled()
    raise ZeroDivisionError


def test_the_collector_is_paused_and_comes_back_whatever_happens():
    with pytest.raises(ZeroDivisionError):
        fail()
    assert gc.isenabled()


def test_who_has_switched_it_off_finds_it_off():
    gc.disable()
    try:
        with collector_paused():
            pass
        assert not gc.isenabled()
    finally:
        gc.enable()
