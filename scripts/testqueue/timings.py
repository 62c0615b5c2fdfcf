"""How long each entry took: the order of the queue, and what the gate says of its dearest tests."""

import json
from pathlib import Path

# What an entry without a measurement is taken for, in seconds. The committed list leaves out what takes less.
UNMEASURED = 5.0


def read_timings(committed: Path, measured: Path) -> dict[str, float]:
    """Reads the seconds of each entry; those measured on this machine hold over the committed ones."""
    seconds: dict[str, float] = {}
    if committed.exists():
        for line in committed.read_text().splitlines():
            name, _, value = line.partition("\t")
            seconds[name] = float(value)
    if measured.exists():
        seconds.update(json.loads(measured.read_text()))
    return seconds


def keep_timings(measured: Path, new: dict[str, float]) -> None:
    """Adds the seconds of this run to those measured on this machine."""
    known = json.loads(measured.read_text()) if measured.exists() else {}
    measured.parent.mkdir(parents=True, exist_ok=True)
    measured.write_text(json.dumps({**known, **new}, indent=1, sort_keys=True))


def longest_first(names: list[str], seconds: dict[str, float]) -> list[str]:
    """Sorts names by their seconds, the longest first."""
    return sorted(names, key=lambda name: -seconds.get(name, UNMEASURED))
