"""Reads the logs of entries: how many tests passed and failed, which failed, what a reader needs to see."""

import re
from pathlib import Path

RUST_RESULT = re.compile(r"^test result: .* (\d+) passed; (\d+) failed", re.MULTILINE)
RUST_FAILED = re.compile(r"^test (\S+) .*\.\.\. FAILED$", re.MULTILINE)
# Vitest's closing lines and its list of failed tests.
WEB_RESULT = re.compile(r"^ +Tests +(?:(\d+) failed[ |]+)?(?:(\d+) passed)?", re.MULTILINE)
WEB_FAILED = re.compile(r"^ *FAIL +(.+)$", re.MULTILINE)
COLOURS = re.compile(r"\x1b\[[0-9;]*m")
# Lines of a failed log that are shown; the whole is in its file.
SHOWN_LINES = 400


def read_log(log: Path) -> str:
    """Reads a log without its colours."""
    return COLOURS.sub("", log.read_text(errors="replace"))


def count_tests(text: str) -> tuple[int, int]:
    """Returns how many tests passed and failed."""
    passed = sum(int(count) for count, _ in RUST_RESULT.findall(text))
    failed = sum(int(count) for _, count in RUST_RESULT.findall(text))
    for lost, won in WEB_RESULT.findall(text):
        passed, failed = passed + int(won or 0), failed + int(lost or 0)
    return passed, failed


def first_failure(text: str) -> str:
    """Returns the name of the first test that failed, or what stands for it."""
    found = RUST_FAILED.search(text) or WEB_FAILED.search(text)
    return found.group(1).strip() if found else "ended without naming a test"


def shown_part(text: str) -> str:
    """Returns the end of a long log."""
    lines = text.splitlines()
    cut = [f"… {len(lines) - SHOWN_LINES} lines before"] if len(lines) > SHOWN_LINES else []
    return "\n".join(cut + lines[-SHOWN_LINES:])
