"""What a gate relies on of its queue: what fails it, what is tried again, what is left out. `python3 -m unittest discover scripts/testqueue`"""

import os
import sys
import tempfile
import unittest
from pathlib import Path

os.environ.setdefault("CARGO_BUILD_BUILD_DIR", tempfile.mkdtemp())
sys.path.insert(0, str(Path(__file__).parent))

from entries import Entry
from outcome_log import count_tests, first_failure
from passed import digest_room
from runner import run_alone, run_together
from timings import longest_first
from unsteady import describe_history, keep_first_failure, record_unsteady, split_failures

FAILED_BROWSER = """
 FAIL  browser/pages.test.ts > a list is left at once and found again where it was
 Test Files  1 failed (1)
      Tests  1 failed | 9 passed (10)
"""
FAILED_STORY = """
test leads::one ... ok
test leads::two ... FAILED
test result: FAILED. 1 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 1.00s
"""


class Queue(unittest.TestCase):
    """Runs entries made of one shell command each."""

    def setUp(self) -> None:
        self.made = tempfile.TemporaryDirectory()
        self.folder = Path(self.made.name)
        self.addCleanup(self.made.cleanup)
        self.told: list[str] = []

    def entry(self, name: str, script: str, *, may_repeat: bool = False) -> Entry:
        return Entry(name, ["sh", "-c", script], self.folder, may_repeat=may_repeat)

    def run_all(self, *entries: Entry):
        return run_together(list(entries), self.folder, lambda outcome: self.told.append(outcome.entry.name))

    def test_a_story_that_fails_is_not_tried_again(self) -> None:
        outcomes = self.run_all(self.entry("stories/leads", "exit 1"), self.entry("stories/login", "exit 0"))
        final, again = split_failures(outcomes)
        self.assertEqual([outcome.entry.name for outcome in final], ["stories/leads"])
        self.assertEqual(again, [])
        self.assertEqual(sorted(self.told), ["stories/leads", "stories/login"])

    def test_a_browser_file_that_passes_alone_is_unsteady(self) -> None:
        once = f"echo '{FAILED_BROWSER}'; [ -e seen ] || {{ touch seen; exit 1; }}"
        outcomes = self.run_all(self.entry("browser/pages", once, may_repeat=True))
        final, again = split_failures(outcomes)
        self.assertEqual(final, [])
        kept = self.folder / "unsteady"
        keep_first_failure(again[0], kept)
        second = run_alone([again[0].entry], self.folder, lambda outcome: None)
        self.assertTrue(second[0].passed)
        history = self.folder / "history.tsv"
        record_unsteady(history, kept, {"browser/pages": second[0].log}, "abc")
        record_unsteady(history, kept, {"browser/pages": second[0].log}, "abd")
        self.assertIn("found again where it was", describe_history(history))
        self.assertTrue(describe_history(history).strip().startswith("2 "))

    def test_many_failed_browser_files_are_not_tried_again(self) -> None:
        outcomes = self.run_all(*(self.entry(f"browser/{number}", "exit 1", may_repeat=True) for number in range(7)))
        final, again = split_failures(outcomes)
        self.assertEqual((len(final), again), (7, []))

    def test_what_an_entry_leaves_behind_is_ended(self) -> None:
        self.run_all(self.entry("stories/leads", "sleep 600 & echo $! > left"))
        left = int((self.folder / "left").read_text())
        state = Path(f"/proc/{left}/stat")
        self.assertTrue(not state.exists() or state.read_text().split()[2] == "Z")

    def test_the_longest_begins_first_and_the_unknown_late(self) -> None:
        self.assertEqual(longest_first(["short", "new", "long"], {"short": 1.0, "long": 90.0}), ["long", "new", "short"])


class Logs(unittest.TestCase):
    """Reads the closing lines of both test runners."""

    def test_counts_and_names_of_both_runners(self) -> None:
        self.assertEqual(count_tests(FAILED_BROWSER), (9, 1))
        self.assertEqual(count_tests("      Tests  10 passed (10)"), (10, 0))
        self.assertEqual(count_tests(FAILED_STORY), (1, 1))
        self.assertEqual(first_failure(FAILED_STORY), "leads::two")
        self.assertEqual(
            first_failure(FAILED_BROWSER), "browser/pages.test.ts > a list is left at once and found again where it was"
        )

    def test_a_room_has_another_digest_once_a_file_changed(self) -> None:
        with tempfile.TemporaryDirectory() as made:
            root = Path(made)
            os.system(f"git init -q {root}")
            (root / "a.rs").write_text("one")
            before = digest_room(root, ("a.rs",))
            (root / "a.rs").write_text("two")
            self.assertNotEqual(before, digest_room(root, ("a.rs",)))


if __name__ == "__main__":
    unittest.main()
