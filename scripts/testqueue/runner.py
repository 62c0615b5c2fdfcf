"""Runs entries side by side: as many at a time as keep the processors busy, each in a process group of its own."""

import os
import signal
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from entries import Entry, environment
from processor import Processor

# Seconds between two looks at the processors and the running entries.
LOOK_EVERY = 0.5
# Below this share another entry begins. Tests that wait leave the processors to others.
BUSY_ENOUGH = 0.9
# Entries that run at the same time for each core: more would only make each other slow.
MOST_FOR_EACH_CORE = 3


@dataclass
class Outcome:
    """How an entry ended."""

    entry: Entry
    log: Path
    status: int
    wall: float
    # Processor seconds of the whole process tree, as far as its processes were waited for.
    cpu: float

    @property
    def passed(self) -> bool:
        """Whether everything in it passed."""
        return self.status == 0


class Running:
    """An entry under way."""

    def __init__(self, entry: Entry, log: Path) -> None:
        self.entry, self.log, self.began = entry, log, time.monotonic()
        with log.open("wb") as output:
            self.process = subprocess.Popen(
                entry.command,
                cwd=entry.folder,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                env=environment(),
                start_new_session=True,
            )

    def poll(self, options: int = os.WNOHANG) -> Outcome | None:
        """Returns how it ended, once it has."""
        pid, status, usage = os.wait4(self.process.pid, options)
        if pid == 0:
            return None
        code = os.waitstatus_to_exitcode(status)
        self.process.returncode = code
        self.end_group()
        wall = time.monotonic() - self.began
        return Outcome(self.entry, self.log, code, wall, usage.ru_utime + usage.ru_stime)

    def end_group(self) -> None:
        """Ends what it left behind: a server or a browser would disturb the others."""
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass


def run_together(entries: list[Entry], logs: Path, tell: Callable[[Outcome], None]) -> list[Outcome]:
    """Runs entries in their order, as many at a time as keep the processors busy."""
    waiting, running, ended = list(entries), [], []
    cores = os.cpu_count() or 1
    processor = Processor()
    try:
        while waiting or running:
            for one in list(running):
                if outcome := one.poll():
                    running.remove(one)
                    ended.append(outcome)
                    tell(outcome)
            is_idle = processor.busy_share() < BUSY_ENOUGH
            # One for each core in any case: what keeps the machine busy may be none of ours.
            most = MOST_FOR_EACH_CORE * cores if is_idle else cores
            if waiting and len(running) < most:
                entry = waiting.pop(0)
                running.append(Running(entry, logs / f"{entry.file}.log"))
            time.sleep(LOOK_EVERY)
    finally:
        for one in running:
            one.end_group()
    return ended


def run_alone(entries: list[Entry], logs: Path, tell: Callable[[Outcome], None]) -> list[Outcome]:
    """Runs entries one after the other."""
    ended = []
    for entry in entries:
        running = Running(entry, logs / f"{entry.file}.log")
        try:
            outcome = running.poll(0)
        finally:
            running.end_group()
        if outcome:
            ended.append(outcome)
            tell(outcome)
    return ended
