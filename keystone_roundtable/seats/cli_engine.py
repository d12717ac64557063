"""A vendor's command line as the engine of a seat: one process for each invocation."""

from __future__ import annotations

import asyncio
import errno
import os
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from threading import Event
from typing import TypeVar

from ..core.engine_entries import CliEntry
from ..core.engines import EngineFailureError, EngineReply, Invocation
from ..core.errors import UsageError
from ..core.plain import one_line
from ..core.programs import MAX_OUTPUT_BYTES, NOT_FOUND, NOT_STARTED, Program, Programs, Ran
from ..core.seating import AbsentReason
from ..core.secrets import mask
from .budget import NOTHING_SENT
from .command_line import command_line, environment, program_of, set_in
from .command_output import Told, complaint, logged_out, told_by, version_in
from .sandboxing import Sight, environment_within, sandbox, wrapped
from .workspace import Workspace

Done = TypeVar("Done")

VERSION_LIMIT_S = 10.0  # some say it slowly where much else begins; chosen by judgement
VERSION_WAIT_S = 3.0  # from its start on, in which an answer is held up by it; the same
_TOLD = 300  # characters of a complaint that are shown
_MOST_PAGES = 32  # of memory for one argument: MAX_ARG_STRLEN of Linux
_LONG = 100_000  # characters of output above which it is read beside the loop


class CliEngine:
    """An `Engine` for one entry of the engines file and one model."""

    def __init__(
        self,
        name: str,
        entry: CliEntry,
        model: str | None,
        *,
        programs: Programs,
        environ: Mapping[str, str],
        hidden: Sequence[Path] = (),
        sealed: Sequence[Path] = (),
        family: str = "run",
        workspace: Workspace | None = None,
    ) -> None:
        """`hidden` are folders that no seat is to see, where the system has a sandbox; `sealed`
        those of which it is not given a copy either. `family` marks the processes. Engines whose
        seats are not to see each other share a `workspace`.
        """
        self._name, self._entry = name, entry
        self._model = model or entry.model
        self._programs = programs
        self._environ = environment(entry, environ)
        self._hidden, self._sealed, self._family = tuple(hidden), tuple(sealed), family
        self._workspace = workspace or Workspace()
        self._bubblewrap = ""
        self._asking: asyncio.Future[str] | None = None
        self._until = 0.0

    @property
    def sends_to(self) -> str:
        return self._entry.sends_to or "a place that only this command knows"

    @property
    def runs(self) -> Path:
        """The program, as far as it is known where it lies."""
        return program_of(self._entry, self._environ) or Path(self._entry.argv[0])

    def price_of(self, tokens: int) -> float | None:
        return None

    def prepare(self) -> None:
        if program_of(self._entry, self._environ) is not None:
            self._bubblewrap = sandbox(self._programs, self._environ)

    async def invoke(self, invocation: Invocation) -> EngineReply:
        entry = self._entry
        program = program_of(entry, self._environ)
        if program is None:
            raise EngineFailureError(
                f"'{one_line(entry.argv[0])}' is not installed",
                entry.install_hint,
                reason="missing",
                use=NOTHING_SENT,
            )
        if entry.model_needed and self._model is None:
            raise EngineFailureError(
                f"engine '{self._name}' needs a model: without one it may choose where text goes",
                f"Name one, as in {self._name}:MODEL",
                reason="missing",
                use=NOTHING_SENT,
            )
        evidence = invocation.evidence if entry.evidence_argv else ()
        folder = await self._folder(evidence)
        try:
            invocation.started()
            self._ask_version(program, invocation.time_limit_s)
            ran = await self._run(invocation, program, folder, evidence)
            version = await self._version()
        except asyncio.CancelledError:
            if self._asking is not None:
                self._asking.cancel()
            raise
        finally:
            await _in_thread(lambda: self._workspace.clear(folder))
        if len(ran.stdout) > _LONG:
            return await asyncio.to_thread(self._reply, ran, invocation, version)
        return self._reply(ran, invocation, version)

    async def close(self) -> None:
        asking, self._asking = self._asking, None
        if asking is not None:
            asking.cancel()
            await asyncio.gather(asking, return_exceptions=True)
        await _in_thread(self._workspace.close)

    async def _folder(self, evidence: Sequence[str]) -> Path:
        """A copy may be large: it is made beside the loop, and left off where the round is over."""
        entry, over = self._entry, Event()
        files = {**entry.files, **(entry.evidence_files if evidence else {})}
        try:
            return await _in_thread(
                lambda: self._workspace.make(files, evidence, self._sealed, over.is_set), over
            )
        except UsageError as error:
            raise EngineFailureError(
                error.message, error.hint, reason="crashed", use=NOTHING_SENT
            ) from error
        except OSError as error:
            raise EngineFailureError(
                f"the seat's folder cannot be made: {error.strerror}",
                reason="crashed",
                use=NOTHING_SENT,
            ) from error

    async def _run(
        self, invocation: Invocation, program: Path, folder: Path, evidence: Sequence[str]
    ) -> Ran:
        prompt = f"{invocation.stable}\n\n{invocation.task}\n"
        argv = command_line(self._entry, self._model, prompt, folder, reads=bool(evidence))
        by_argument = self._entry.prompt == "argument"
        limit_s = invocation.time_limit_s - _before(invocation.time_limit_s)
        stdin = b"" if by_argument else prompt.encode("utf-8", "replace")
        made = self._program(
            argv, program, folder, limit_s, stdin=stdin, evidence=evidence, homes=self._entry.homes
        )
        ran = await self._programs.run(made)
        if by_argument and ran.status == NOT_STARTED and os.strerror(errno.E2BIG) in ran.stderr:
            raise self._too_long(prompt)
        return ran

    def _program(
        self,
        argv: Sequence[str],
        program: Path,
        folder: Path,
        limit_s: float,
        *,
        stdin: bytes = b"",
        evidence: Sequence[str] = (),
        homes: Sequence[str] = (),
    ) -> Program:
        environ = {**self._environ, **set_in(self._entry, folder), "PWD": str(folder)}
        argv = (str(program), *argv[1:])
        if self._bubblewrap:
            sight = Sight(
                program,
                folder,
                environ,
                homes,
                hidden=self._hidden,
                sealed=self._sealed,
                originals=evidence,
            )
            argv, environ = wrapped(self._bubblewrap, argv, sight), environment_within(environ)
        return Program(
            argv=tuple(argv),
            stdin=stdin,
            environ=environ,
            folder=str(folder),
            family=self._family,
            time_limit_s=limit_s,
            wraps=bool(self._bubblewrap),
        )

    def _too_long(self, prompt: str) -> EngineFailureError:
        size, most = len(prompt.encode("utf-8", "replace")), _MOST_PAGES * os.sysconf("SC_PAGESIZE")
        return EngineFailureError(
            f"the prompt has {size:,} bytes, and '{self._name}' takes it as an argument: of one "
            f"the system takes less than {most:,}",
            "Seat an engine that reads standard input",
            reason="crashed",
            use=NOTHING_SENT,
        )

    # -- the version -----------------------------------------------------------------------

    def _ask_version(self, program: Path, limit_s: float) -> None:
        """Beside the first seat, in a folder of its own; without its homes, where both would write
        at once.
        """
        if self._asking is None and self._entry.version_argv:
            self._until = time.monotonic() + min(VERSION_WAIT_S, limit_s / 2)
            asked = self._asked_version(program, min(VERSION_LIMIT_S, limit_s))
            self._asking = asyncio.ensure_future(asked)

    async def _asked_version(self, program: Path, limit_s: float) -> str:
        try:
            folder = await _in_thread(lambda: self._workspace.make({}))
        except OSError:
            return ""
        try:
            argv = (str(program), *self._entry.version_argv)
            ran = await self._programs.run(self._program(argv, program, folder, limit_s))
        finally:
            await _in_thread(lambda: self._workspace.clear(folder))
        return version_in(ran)

    async def _version(self) -> str:
        if self._asking is None:
            return ""
        left_s = max(0.0, self._until - time.monotonic())
        done, _ = await asyncio.wait({self._asking}, timeout=left_s)
        told = [one for one in done if not one.cancelled() and one.exception() is None]
        return told[0].result() if told else ""

    # -- what came of it -------------------------------------------------------------------

    def _reply(self, ran: Ran, invocation: Invocation, version: str) -> EngineReply:
        told = told_by(ran.stdout, self._entry.output)
        fault = self._fault(ran, told, invocation.time_limit_s)
        if fault is not None:
            fault.version = version
            raise fault
        return EngineReply(
            text=told.answer if told.readable else ran.stdout,
            use=told.use,
            version=version,
            exit_status=ran.status,
            sandboxed=bool(self._bubblewrap),
        )

    def _fault(self, ran: Ran, told: Told, limit_s: float) -> EngineFailureError | None:
        if ran.status in (NOT_FOUND, NOT_STARTED):
            return self._failure("missing", ran.stderr or "it could not be started", ran, told)
        if ran.too_long:
            most = MAX_OUTPUT_BYTES // 1_000_000
            return self._failure("malformed", f"it put out more than {most} MB", ran, told)
        if logged_out(self._entry, ran, told):
            hint = self._entry.login_hint
            return self._failure("unauthenticated", "not logged in", ran, told, hint)
        if ran.timed_out:
            last = complaint(ran).rstrip(" .…")
            said = f"no reply within {limit_s:g} s" + (f"; it last said: {last}" if last else "")
            return self._failure("timeout", said, ran, told, "Set a longer --timeout")
        if told.failed or ran.status != 0:
            said = told.error or complaint(ran)
            how = f"it ended with status {ran.status}" if ran.status else "it reports an error"
            return self._failure("crashed", f"{how}: {said}" if said else how, ran, told)
        return None

    def _failure(
        self, reason: AbsentReason, said: str, ran: Ran, told: Told, hint: str = ""
    ) -> EngineFailureError:
        return EngineFailureError(
            mask(one_line(said))[:_TOLD],
            hint,
            reason=reason,
            use=told.use,
            exit_status=ran.status,
        )


async def _in_thread(work: Callable[[], Done], over: Event | None = None) -> Done:
    """What `work` gives, which blocks. Cancelled, it says so through `over`, and waits for its end:
    what is half made then is known.
    """
    working = asyncio.ensure_future(asyncio.to_thread(work))
    try:
        return await asyncio.shield(working)
    except asyncio.CancelledError:
        if over is not None:
            over.set()
        await asyncio.wait({working})
        raise


def _before(limit_s: float) -> float:
    """By how much a command is ended before its seat is given up: so that what it said until then
    can be read, such as that nobody is logged in. Chosen by judgement.
    """
    return min(5.0, 0.2 * limit_s)
