"""Lists what the gate runs: unit tests of each crate, files of stories, simulated worlds, browser files.

An entry is one process. The tests of one file stay in one process, which shares the demo catalogue and the database clusters.
"""

import json
import os
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

# Stories that measure time against the clock: beside others they would measure the machine.
ALONE = {"stories/lost_database", "stories/mirror", "stories/nodes", "stories/search_pace"}
# Prefix of tests that try a planted fault; they run when what they try was changed.
CONTROL = "control_"
# What every test of the log stands on, beside its own folder.
LOG = ("eventlog", "threads", "Cargo.lock")


@dataclass
class Entry:
    """One process of the queue."""

    name: str
    command: list[str]
    folder: Path
    # Runs with nothing beside it.
    is_alone: bool = False
    # May be tried a second time: a browser file alone, where chance lies outside the product.
    may_repeat: bool = False
    # The paths that its controls (or the whole of it) try: while these are as they were when it passed, `shorter` runs instead.
    room: tuple[str, ...] = ()
    # Empty where nothing of it needs to run then.
    shorter: list[str] = field(default_factory=list)

    @property
    def file(self) -> str:
        """A name that can be a file's."""
        return self.name.replace("/", "-")


def list_tests(binary: str, folder: Path) -> list[str]:
    """Returns the full names of the tests in a test binary."""
    listed = subprocess.run(
        [binary, "--list", "--format", "terse"], cwd=folder, capture_output=True, text=True, check=True
    )
    return [line.removesuffix(": test") for line in listed.stdout.splitlines() if line.endswith(": test")]


def rust_entries(artifacts: Path, root: Path) -> list[Entry]:
    """Reads what cargo built (its JSON messages): an entry for each file of stories, and one for each other test binary."""
    entries: dict[str, Entry] = {}
    for line in artifacts.read_text().splitlines():
        message = json.loads(line) if line.startswith("{") else {}
        if message.get("reason") != "compiler-artifact" or not message["profile"]["test"]:
            continue
        binary, folder = message["executable"], Path(message["manifest_path"]).parent
        kind, place = message["target"]["kind"][0], str(folder.relative_to(root))
        if binary is None or kind == "bin":
            continue
        if kind == "test" and place == "tests":
            made = story_entries(binary, folder)
        else:
            name = f"{'unit' if kind == 'lib' else 'suite'}/{place}"
            made = crate_entries(name, binary, folder, (place, "domain", "projections", *LOG))
        # Of a crate that was built twice, the later binary counts.
        entries.update({entry.name: entry for entry in made})
    return list(entries.values())


def story_entries(binary: str, folder: Path) -> list[Entry]:
    """Returns an entry for each file of `tests/it`."""
    files: dict[str, list[str]] = {}
    for test in list_tests(binary, folder):
        files.setdefault(test.split("::")[0], []).append(test)
    entries = []
    for file, tests in files.items():
        # `--skip` would be exact as well, so the controls are left out by name.
        others = [test for test in tests if not is_control(test)]
        entry = Entry(f"stories/{file}", [binary, "--exact", *tests], folder)
        entry.is_alone = entry.name in ALONE
        if others != tests:
            entry.room = (f"tests/it/{file}.rs", "tests/src", *LOG)
            entry.shorter = [binary, "--exact", *others] if others else []
        entries.append(entry)
    return entries


def crate_entries(name: str, binary: str, folder: Path, room: tuple[str, ...]) -> list[Entry]:
    """Returns the one entry of a binary, none where it holds no test."""
    tests = list_tests(binary, folder)
    entry = Entry(name, [binary], folder)
    if any(is_control(test) for test in tests):
        entry.room = room
        entry.shorter = [binary, "--skip", CONTROL]
    return [entry] if tests else []


def is_control(test: str) -> bool:
    """Whether a test tries a planted fault."""
    return CONTROL in test


# Looks at a build of `scripts/made-up-language` alone.
MADE_UP = "madeUpLanguage.test.ts"


def browser_entries(root: Path) -> list[Entry]:
    """Returns an entry for each file of `web/browser`."""
    web = root / "web"
    command = ["node_modules/.bin/vitest", "run", "--config", "vitest.browser.config.ts"]
    files = sorted(file for file in (web / "browser").glob("*.test.ts") if file.name != MADE_UP)
    return [
        Entry(f"browser/{file.name.removesuffix('.test.ts')}", [*command, f"browser/{file.name}"], web, may_repeat=True)
        for file in files
    ]


def schedule_entries(root: Path) -> list[Entry]:
    """Returns the orders of the steps of threads (R21): a build of its own, run while its room is not known to have passed."""
    command = ["make", "--no-print-directory", "schedules"]
    return [Entry("schedules", command, root, room=("threads", "eventlog", "Cargo.lock"))]


def environment() -> dict[str, str]:
    """The environment of every entry."""
    return {**os.environ, "CARGO_TERM_COLOR": "never", "NO_COLOR": "1"}
