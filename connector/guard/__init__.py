"""Running a task where it can do no harm: in a child process that may be lost.

Reading SQL that nobody wrote by hand can take for ever, take all memory, exhaust the stack or bring the interpreter
down, and much of the time is spent in compiled code that no signal handler or thread interrupts. So the task runs in
a child process, and whoever calls it waits with a clock in hand. What stops the child costs that one call.

>>> from connector.guard import Guard, Limits, Stopped
>>> with Guard(len, Limits(seconds=5)) as guarded:
...     guarded("four")
4
"""

from connector.guard.guard import Guard
from connector.guard.limits import Limits, Reason, Stopped
from connector.guard.pool import GuardPool

__all__ = ["Guard", "GuardPool", "Limits", "Reason", "Stopped"]
