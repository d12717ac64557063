"""A vendor's command line as the engine of a seat: one process for each invocation."""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase
from pathlib import Path

from ..core.engine_entries import CliEntry
from ..core.engines import EngineFailureError, EngineReply, Invocation
from ..core.plain import is_blank, one_line, plain
from ..core.programs import MAX_OUTPUT_BYTES, NOT_FOUND, NOT_STARTED, Program, Programs, Ran
from ..core.seating import AbsentReason
from ..core.secrets import mask
from .budget import NOTHING_SENT
from .command_output import Told, told_by
from .sandboxing import sandbox, wrapped
from .workspace import seat_folder

USUAL_ENVIRONMENT = (
    "PATH", "HOME", "USER", "LOGNAME", "LANG", "LC_*", "TZ",
    "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME",
    "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "no_proxy",
    "SSL_CERT_FILE", "SSL_CERT_DIR", "NODE_EXTRA_CA_CERTS",
)  # fmt: skip
"""What every command may see: where things are, in which language, how the network is reached."""

VERSION_LIMIT_S = 10.0  # a command that starts slowly does so in seconds; chosen by judgement
_SHORT = 2000  # characters up to which a text without an object may be a complaint
_TOLD = 300  # characters of a complaint that are shown


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
        family: str = "run",
    ) -> None:
        """`hidden` are folders that no seat is to see, where the system has a sandbox; `family`
        marks the processes.
        """
        self._name, self._entry = name, entry
        self._model = model or entry.model
        self._programs = programs
        self._environ = environment(entry, environ)
        self._hidden, self._family = tuple(hidden), family
        self._version = ""
        self._bubblewrap = ""

    @property
    def sends_to(self) -> str:
        return self._entry.sends_to or f"whatever '{self._name}' is set to"

    def price_of(self, tokens: int) -> float | None:
        return None

    def prepare(self) -> None:
        found = program_of(self._entry, self._environ)
        if found is not None:
            self._version = version_of(self._entry, found, self._programs, self._environ)
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
        try:
            files = {**entry.files, **(entry.evidence_files if evidence else {})}
            with seat_folder(evidence, files) as folder:
                ran = await self._run(invocation, program, folder, bool(evidence))
        except OSError as error:
            raise EngineFailureError(
                f"the seat's folder cannot be made: {error.strerror}",
                reason="crashed",
                use=NOTHING_SENT,
            ) from error
        return self._reply(ran, invocation)

    async def close(self) -> None:
        """Nothing is held between invocations."""

    async def _run(self, invocation: Invocation, program: Path, folder: Path, reads: bool) -> Ran:
        prompt = f"{invocation.stable}\n\n{invocation.task}\n"
        argv = command_line(self._entry, self._model, prompt, folder, reads=reads)
        if self._bubblewrap:
            home = self._environ.get("HOME")
            argv = wrapped(
                self._bubblewrap,
                (str(program), *argv[1:]),
                program,
                folder,
                Path(home) if home else None,
                self._entry.homes,
                self._hidden,
            )
        by_argument = self._entry.prompt == "argument"
        return await self._programs.run(
            Program(
                argv=argv,
                stdin=b"" if by_argument else prompt.encode("utf-8", "replace"),
                environ={**self._environ, **_set_in(self._entry, folder), "PWD": str(folder)},
                folder=str(folder),
                family=self._family,
                time_limit_s=invocation.time_limit_s - _before(invocation.time_limit_s),
            )
        )

    def _reply(self, ran: Ran, invocation: Invocation) -> EngineReply:
        told = told_by(ran.stdout, self._entry.output)
        fault = self._fault(ran, told, invocation.time_limit_s)
        if fault is not None:
            raise fault
        return EngineReply(
            text=told.answer if told.readable else ran.stdout,
            use=told.use,
            version=self._version,
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
            last = complaint(ran)
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
            version=self._version,
            exit_status=ran.status,
        )


def _before(limit_s: float) -> float:
    """By how much a command is ended before its seat is given up: so that what it said until then
    can be read, such as that nobody is logged in. Chosen by judgement.
    """
    return min(5.0, 0.2 * limit_s)


def command_line(
    entry: CliEntry, model: str | None, prompt: str, folder: Path, *, reads: bool
) -> tuple[str, ...]:
    """The argument list; nothing in it is read by a shell."""
    words = [*entry.argv]
    if model is not None:
        words += entry.model_argv
    words += entry.evidence_argv if reads else entry.plain_argv
    if entry.prompt == "argument" and not any("{prompt}" in word for word in words):
        words.append("{prompt}")
    # The prompt goes in last: what it says in braces stays as it is.
    filled = [w.replace("{model}", model or "").replace("{folder}", str(folder)) for w in words]
    safe = prompt.replace("\0", "")
    return tuple(word.replace("{prompt}", safe) for word in filled)


def environment(entry: CliEntry, environ: Mapping[str, str]) -> dict[str, str]:
    """The variables that the command may see."""
    allowed = (*USUAL_ENVIRONMENT, *entry.environment)
    kept = {
        name: value
        for name, value in environ.items()
        if any(fnmatchcase(name, pattern) for pattern in allowed)
    }
    return {**kept, **entry.set_environment}


def _set_in(entry: CliEntry, folder: Path) -> dict[str, str]:
    return {
        name: value.replace("{folder}", str(folder))
        for name, value in entry.set_environment.items()
    }


def program_of(entry: CliEntry, environ: Mapping[str, str]) -> Path | None:
    found = shutil.which(entry.argv[0], path=environ.get("PATH"))
    return Path(found).absolute() if found else None


def version_of(
    entry: CliEntry, program: Path, programs: Programs, environ: Mapping[str, str]
) -> str:
    """The first line that it says of itself; "" where it does not say."""
    if not entry.version_argv:
        return ""
    said = programs.said((str(program), *entry.version_argv), environ, VERSION_LIMIT_S)
    lines = [one_line(line) for line in plain(said.stdout).splitlines() if not is_blank(line)]
    return lines[0][:80] if said.status == 0 and lines else ""


def logged_out(entry: CliEntry, ran: Ran, told: Told) -> bool:
    """Whether the command says that nobody is logged in, wherever it says so.

    Some say it on standard output, some with status 0. An answer that holds an object is an answer,
    whatever words stand in it.
    """
    if ran.status in entry.login_statuses:
        return True
    failed = ran.status != 0 or told.failed
    answer = told.answer if told.readable else ran.stdout
    bare = "{" not in answer and len(answer) <= _SHORT
    if not failed and not bare:
        return False
    said = f"{answer}\n{told.error}\n{ran.stderr}\n{ran.stdout if failed else ''}".casefold()
    return any(words.casefold() in said for words in entry.login_words)


def complaint(ran: Ran) -> str:
    """The last line that says anything, of standard error before standard output."""
    for text in (ran.stderr, ran.stdout):
        lines = [line for line in plain(text).splitlines() if not is_blank(line)]
        if lines:
            return one_line(lines[-1])
    return ""
