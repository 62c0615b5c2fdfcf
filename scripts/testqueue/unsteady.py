"""Keeps the list of browser files that failed beside others and passed alone."""

import datetime
import shutil
from collections import Counter
from pathlib import Path

from outcome_log import first_failure, read_log
from runner import Outcome

# More than these in one run fail the gate: then it is no chance.
UNSTEADY_MOST = 3


def split_failures(outcomes: list[Outcome]) -> tuple[list[Outcome], list[Outcome]]:
    """Splits what failed into what fails the gate at once and what is tried again alone."""
    failed = [outcome for outcome in outcomes if not outcome.passed]
    final = [outcome for outcome in failed if not outcome.entry.may_repeat]
    again = [outcome for outcome in failed if outcome.entry.may_repeat]
    # A fault in this many files is none of chance: trying them all again would only take its time.
    if len(again) > 2 * UNSTEADY_MOST:
        return failed, []
    return final, again


def keep_first_failure(outcome: Outcome, folder: Path) -> None:
    """Keeps the log of a first failure, before the second try writes its own."""
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copy(outcome.log, folder / outcome.log.name)


def record_unsteady(history: Path, kept: Path, names: dict[str, Path], commit: str) -> None:
    """Appends what failed first and passed alone: day, commit, entry and the test that failed."""
    history.parent.mkdir(parents=True, exist_ok=True)
    today = datetime.date.today().isoformat()
    with history.open("a") as lines:
        for name, log in names.items():
            test = first_failure(read_log(kept / log.name))
            lines.write(f"{today}\t{commit}\t{name}\t{test}\n")


def describe_history(history: Path) -> str:
    """Says how often which test was unsteady, the most frequent first."""
    rows = [line.split("\t") for line in history.read_text().splitlines()] if history.exists() else []
    if not rows:
        return "no test was unsteady on this machine"
    counted = Counter((name, test) for _, _, name, test in rows)
    last = {(name, test): day for day, _, name, test in rows}
    lines = [f"{count:4}  last {last[key]}  {key[0]}: {key[1]}" for key, count in counted.most_common()]
    return "\n".join(lines)
