"""Small disks that can be filled or made read-only."""

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

PAGE = 4096


class NoSmallDiskError(RuntimeError):
    """Error for a process that may not mount a disk."""


class SmallDisk:
    """Disk of limited size, in memory.

    Attributes
    ----------
    folder : Path
        Folder at which the disk is mounted.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._filler = folder / ".filler"

    @property
    def free(self) -> int:
        """Return the number of free bytes on the disk."""
        state = os.statvfs(self.folder)
        return state.f_bavail * state.f_frsize

    def fill(self, left: int) -> None:
        """Fill the disk until only a given number of bytes is free."""
        with self._filler.open("ab") as file:
            os.posix_fallocate(
                file.fileno(), file.tell(), max(self.free - left, 0) // PAGE * PAGE or PAGE
            )

    def empty(self) -> None:
        """Remove the file that fills the disk."""
        self._filler.unlink(missing_ok=True)

    def set_read_only(self, read_only: bool) -> None:
        """Make the disk read-only, or writable again."""
        _mount("-o", f"remount,{'ro' if read_only else 'rw'}", str(self.folder))


@contextmanager
def small_disk(folder: Path, size: int) -> Iterator[SmallDisk]:
    """Mount a disk of `size` bytes at a new folder until the with block ends.

    Raises
    ------
    NoSmallDiskError
        If this process may not mount a disk.
    """
    folder.mkdir(parents=True)
    _mount("-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(folder))
    try:
        yield SmallDisk(folder)
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


def _mount(*arguments: str) -> None:
    try:
        subprocess.run(["mount", *arguments], check=True, capture_output=True, text=True)
    except (OSError, subprocess.CalledProcessError) as error:
        reason = getattr(error, "stderr", "") or str(error)
        raise NoSmallDiskError(f"nothing can be mounted here: {reason.strip()}") from error


def may_mount(folder: Path) -> str:
    """Return why no small disk can be mounted at a folder; empty if this is possible."""
    try:
        with small_disk(folder, 16 * PAGE):
            return ""
    except NoSmallDiskError as error:
        return str(error)
    finally:
        with suppress(OSError):
            folder.rmdir()
