"""Runs a task where it can do no harm: in an expendable child process.

Parsing generated SQL can take forever, use all memory, exhaust the stack or crash the interpreter, and much of the time is spent
in compiled code that neither a signal handler nor a thread can interrupt. The task therefore runs in a child process while the
caller watches the clock. Whatever stops the child only affects that one call.

>>> from connector.guard import Guard, Limits, Stopped
>>> with Guard(len, Limits(seconds=5)) as guarded:
...     guarded("four")
4
"""

from connector.guard.guard import Guard, GuardPool
from connector.guard.limits import Limits, Reason, Stopped

__all__ = ["Guard", "GuardPool", "Limits", "Reason", "Stopped"]
