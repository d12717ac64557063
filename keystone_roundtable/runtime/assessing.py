"""Assessments that run while the person reads and types."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field

from ..core.errors import KeystoneError
from ..core.ports import Moderator
from ..core.records import Assessment
from ..core.session import Session

Result = Assessment | KeystoneError


@dataclass
class _Job:
    moderator: Moderator
    session: Session
    done: threading.Event = field(default_factory=threading.Event)
    result: Result | None = None

    def run(self) -> None:
        try:
            self.result = self.moderator.assess(self.session)
        except KeystoneError as error:
            self.result = error
        except Exception as error:  # a thread must not die unheard
            self.result = KeystoneError(f"assessing failed: {type(error).__name__}: {error}")
        finally:
            self.done.set()


class BackgroundAssessments:
    """One thread an answer. They die with the process: nothing of theirs is needed to resume."""

    def __init__(self) -> None:
        self._jobs: dict[str, _Job] = {}

    def start(self, moderator: Moderator, session: Session) -> None:
        """Begins to assess the session's last answer, unless that runs already."""
        asking = session.turns[-1].asking
        if asking not in self._jobs:
            job = self._jobs[asking] = _Job(moderator, session)
            threading.Thread(target=job.run, name=f"assess {asking}", daemon=True).start()

    def wait(self, asking: str, seconds: float | None) -> bool:
        """Whether the result is there, after at most so many seconds; None waits for it."""
        return self._jobs[asking].done.wait(seconds)

    def take(self) -> list[tuple[str, Result]]:
        """What has come in since, in the order it was begun."""
        ready = [asking for asking, job in self._jobs.items() if job.done.is_set()]
        jobs = [(asking, self._jobs.pop(asking).result) for asking in ready]
        return [(asking, result) for asking, result in jobs if result is not None]

    def forget(self) -> None:
        """Lets go of everything that still runs; its results will not be taken."""
        self._jobs.clear()
