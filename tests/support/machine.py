"""What the servers of the tests need of the machine: free ports, commands, packages of Debian, an account that is not root."""

from __future__ import annotations

import os
import pwd
import shutil
import socket
import subprocess
from contextlib import suppress


def free_ports(count: int) -> list[int]:
    """Ports on loopback that nobody listens on, all different."""
    sockets = [socket.socket() for _ in range(count)]
    try:
        for each in sockets:
            each.bind(("127.0.0.1", 0))
        return [each.getsockname()[1] for each in sockets]
    finally:
        for each in sockets:
            each.close()


def free_port() -> int:
    return free_ports(1)[0]


def run_command(command: list[str]) -> None:
    """Run a command; if it fails, raise an error with the end of its output."""
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"{command[0]} failed:\n{(done.stdout + done.stderr)[-2000:]}")


def apt_install(*packages: str) -> None:
    """Install packages where that is possible: as root, on Debian and its relatives."""
    if os.geteuid() != 0 or not shutil.which("apt-get"):
        return
    quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    install = ["apt-get", "install", "-y", "-qq", "--no-install-recommends", *packages]
    if subprocess.run(install, env=quiet, capture_output=True, check=False).returncode:
        subprocess.run(["apt-get", "update", "-qq"], env=quiet, capture_output=True, check=False)
        subprocess.run(install, env=quiet, capture_output=True, check=False)


def account_for_server(name: str) -> pwd.struct_passwd | None:
    """The account that runs a server which refuses to run as root; None if this process is not root's."""
    if os.geteuid() != 0:
        return None
    for candidate in (name, "nobody"):
        with suppress(KeyError):
            return pwd.getpwnam(candidate)
    raise RuntimeError(f"The server does not run as root, and there is neither an account {name!r} nor 'nobody'")
