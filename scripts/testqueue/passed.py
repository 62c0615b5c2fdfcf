"""Remembers which content of a room last passed on this machine."""

import hashlib
import subprocess
from pathlib import Path


def digest_room(root: Path, room: tuple[str, ...]) -> str:
    """Returns a digest of all files of a room, whether committed or not."""
    listed = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard", "-z", "--", *room], cwd=root, capture_output=True, check=True
    )
    digest = hashlib.sha256()
    for name in sorted(set(listed.stdout.split(b"\0")) - {b""}):
        path = root / name.decode()
        if path.is_file():
            digest.update(name + b"\0" + hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()[:40]


class PassedRooms:
    """The rooms whose content passed, as empty files of a folder."""

    def __init__(self, root: Path, folder: Path) -> None:
        self.root, self.folder = root, folder
        self.digests: dict[tuple[str, ...], str] = {}

    def mark(self, name: str, room: tuple[str, ...]) -> Path:
        """Returns the file that stands for this entry having passed with the content its room has now."""
        if room not in self.digests:
            self.digests[room] = digest_room(self.root, room)
        return self.folder / f"{name.replace('/', '-')}-{self.digests[room]}"

    def has_passed(self, name: str, room: tuple[str, ...]) -> bool:
        """Whether the entry passed with this content."""
        return self.mark(name, room).exists()

    def note(self, name: str, room: tuple[str, ...]) -> None:
        """Remembers that the entry passed with this content."""
        self.folder.mkdir(parents=True, exist_ok=True)
        self.mark(name, room).touch()
