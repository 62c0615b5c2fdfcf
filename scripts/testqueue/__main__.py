"""Runs the tests of the gate as one queue, longest first.

A unit test, world or story that fails once fails the gate. A browser file that failed runs once more at the very end, alone:
what passes then is listed as unsteady.

    python3 scripts/testqueue run ARTIFACTS LOGS     ARTIFACTS: cargo's JSON messages of the build
    python3 scripts/testqueue unsteady               how often which test was unsteady on this machine
"""

import os
import signal
import subprocess
import sys
from pathlib import Path

from entries import Entry, browser_entries, rust_entries, schedule_entries
from outcome_log import count_tests, read_log, shown_part
from passed import PassedRooms
from runner import Outcome, run_alone, run_together
from timings import keep_timings, longest_first, read_timings
from unsteady import UNSTEADY_MOST, describe_history, keep_first_failure, record_unsteady, split_failures

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ["CARGO_BUILD_BUILD_DIR"])
HISTORY = BUILD / "unsteady.tsv"
# The dearest entries that are named after each run.
SLOWEST_NAMED = 20


def tell(outcome: Outcome) -> None:
    """Prints a line of an entry that passed, and the output of one that failed."""
    line = f"{outcome.entry.name:34} {outcome.wall:6.0f} s wall {outcome.cpu:6.0f} s CPU"
    if outcome.passed:
        print(f"ok     {line}", flush=True)
    else:
        print(f"{shown_part(read_log(outcome.log))}\nFAILED {line}: the whole output is in {outcome.log}", flush=True)


def shorten(entries: list[Entry], passed: PassedRooms) -> list[Entry]:
    """Leaves out controls and schedules whose rooms are as they were when they passed."""
    kept = []
    for entry in entries:
        if entry.room and passed.has_passed(entry.name, entry.room):
            if not entry.shorter:
                continue
            entry.command, entry.room = entry.shorter, ()
        kept.append(entry)
    return kept


def run(artifacts: Path, logs: Path) -> int:
    """Runs everything there is, and returns the exit status of the gate."""
    passed = PassedRooms(ROOT, BUILD / "passed")
    every = [*rust_entries(artifacts, ROOT), *browser_entries(ROOT), *schedule_entries(ROOT)]
    entries = {entry.name: entry for entry in shorten(every, passed)}
    measured = BUILD / "timings.json"
    seconds = read_timings(ROOT / "scripts/testqueue/seconds.tsv", measured)
    order = [entries[name] for name in longest_first(list(entries), seconds)]
    outcomes = run_together([entry for entry in order if not entry.is_alone], logs, tell)
    outcomes += run_alone([entry for entry in order if entry.is_alone], logs, tell)

    failed, again = split_failures(outcomes)
    kept = logs.parent / "unsteady"
    for outcome in again:
        keep_first_failure(outcome, kept)
    second = run_alone([outcome.entry for outcome in again], logs, tell)
    failed += [outcome for outcome in second if not outcome.passed]
    steady = {outcome.entry.name: outcome for outcome in outcomes if outcome.passed}
    unsteady = {outcome.entry.name: outcome.log for outcome in second if outcome.passed}
    for outcome in steady.values():
        if outcome.entry.room:
            passed.note(outcome.entry.name, outcome.entry.room)
    keep_timings(measured, {name: outcome.wall for name, outcome in steady.items()})
    record_unsteady(HISTORY, kept, unsteady, head_commit())
    return close(outcomes, second, failed, unsteady)


def head_commit() -> str:
    """Returns the commit that is tried."""
    asked = subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=False)
    return asked.stdout.strip() or "unknown"


def close(outcomes: list[Outcome], second: list[Outcome], failed: list[Outcome], unsteady: dict[str, Path]) -> int:
    """Prints the dearest entries, the unsteady ones and the counts; returns the exit status."""
    dearest = sorted(outcomes, key=lambda outcome: -outcome.cpu)[:SLOWEST_NAMED]
    print(f"\nthe {len(dearest)} dearest:")
    for outcome in dearest:
        print(f"  {outcome.cpu:6.0f} s CPU {outcome.wall:6.0f} s wall  {outcome.entry.name}")
    cpu = sum(outcome.cpu for outcome in outcomes + second)
    repeated = {outcome.entry.name for outcome in second}
    counts = [count_tests(read_log(outcome.log)) for outcome in second]
    counts += [count_tests(read_log(outcome.log)) for outcome in outcomes if outcome.entry.name not in repeated]
    won, lost = (sum(column) for column in zip(*counts, strict=True))
    print(f"{len(outcomes)} entries, {cpu:.0f} s CPU")
    if unsteady:
        print(f"unsteady: {len(unsteady)} ({', '.join(unsteady)}), first failures in target/gate/unsteady; `make unsteady` counts them")
    if failed:
        print(f"failed: {', '.join(outcome.entry.name for outcome in failed)}")
    if len(unsteady) > UNSTEADY_MOST:
        print(f"more than {UNSTEADY_MOST} are unsteady: that is no chance")
    print(f"{won} passed, {max(lost, len(failed))} failed")
    return 1 if failed or len(unsteady) > UNSTEADY_MOST else 0


def main(words: list[str]) -> int:
    """Does what the command line says."""
    # A gate that is ended leaves no server and no browser behind.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    match words:
        case ["run", artifacts, logs]:
            return run(Path(artifacts), Path(logs))
        case ["unsteady"]:
            print(describe_history(HISTORY))
            return 0
        case _:
            print(__doc__)
            return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
