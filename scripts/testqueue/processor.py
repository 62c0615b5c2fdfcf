"""Says how busy the processors are."""

import os
from pathlib import Path

STATISTICS = Path("/proc/stat")


class Processor:
    """Measures the share of processor time in use between two questions."""

    def __init__(self) -> None:
        self.last = read_ticks()

    def busy_share(self) -> float:
        """Returns the share (0 to 1) of all processors that was in use since the last question."""
        idle, total = read_ticks()
        before_idle, before_total = self.last
        if total == before_total:
            return 1.0
        self.last = (idle, total)
        return 1.0 - (idle - before_idle) / (total - before_total)


def read_ticks() -> tuple[float, float]:
    """Reads idle and all ticks since the machine started; where the system does not count them, from the load of the last minute."""
    if not STATISTICS.exists():
        cores = os.cpu_count() or 1
        load = min(os.getloadavg()[0] / cores, 1.0)
        uptime = os.times().elapsed
        return uptime * (1.0 - load), uptime
    ticks = [int(word) for word in STATISTICS.read_text().split("\n", 1)[0].split()[1:9]]
    # Waiting for the disk leaves the processor to others.
    return float(ticks[3] + ticks[4]), float(sum(ticks))
