"""What the engines file says of each engine, one shape a kind."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal, TypeAlias

from pydantic import AfterValidator, Field

from .records import Record


class ApiEntry(Record):
    """Any model of the provider layer: the seat names it, unless `model` is given here."""

    kind: Literal["api"]
    about: str = ""
    """One line for whoever lists the engines."""
    model: str | None = Field(default=None, min_length=1)
    """A model spec: `ollama:qwen3`."""


class OfflineEntry(Record):
    """The rehearsal."""

    kind: Literal["offline"]
    about: str = ""


def _below(name: str) -> str:
    """A name that leads to nothing but what lies below the folder that it stands in."""
    parts = name.split("/")
    if "\0" in name or "\\" in name or any(part in ("", ".", "..") for part in parts):
        raise ValueError(f"{name!a} is no plain name below its folder: no '..', nothing absolute")
    return name


def _free(name: str) -> str:
    if _below(name).split("/")[0].casefold() == EVIDENCE:
        raise ValueError(f"'{EVIDENCE}' is where a seat's evidence lies")
    return name


EVIDENCE = "evidence"
"""The folder of the evidence in a seat's own: `{folder}/evidence` in an argument list."""

Words: TypeAlias = tuple[str, ...]
FilesByName: TypeAlias = Mapping[Annotated[str, AfterValidator(_free)], str]
NamesBelow: TypeAlias = tuple[Annotated[str, AfterValidator(_below)], ...]


class OutputShape(Record):
    """Where the answer and what it took stand in what a command puts out.

    A path is dotted, `result` or `item.text`; `*` stands for every name or number at that level. Of
    a count the sum of all that is found is taken.
    """

    form: Literal["text", "json", "lines"] = "text"
    """The answer itself; one JSON object; or a JSON object in each line."""
    answer: str = ""
    """The path to the answer."""
    where: Mapping[str, str] = Field(default_factory=dict)
    """Of `lines`: only those count whose paths hold these words."""
    all_parts: bool = False
    """Of `lines`: the answer is all parts joined, not the last."""
    error: str = ""
    """A path that holds something only where the command failed, whatever its exit status says."""
    error_text: str = ""
    input_tokens: Words = ()
    """Paths whose counts are added up; so for the others."""
    cached_tokens: Words = ()
    output_tokens: Words = ()
    cost_usd: Words = ()


class CliEntry(Record):
    """A command that takes a prompt and puts out an answer, without anybody at a terminal.

    In every word of the argument lists `{model}`, `{prompt}` and `{folder}` are filled in, in what
    `set_environment` sets `{folder}`; nothing of it meets a shell.
    """

    kind: Literal["cli"]
    about: str = ""
    vendor: str = ""
    """Who makes the model; "" where the name of the engine, or the model, tells."""
    argv: Words = Field(min_length=1)
    model: str | None = Field(default=None, min_length=1)
    """The model where the seat names none."""
    model_argv: Words = ()
    """Added where a model is named; without it the command takes none."""
    model_needed: bool = False
    prompt: Literal["stdin", "argument"] = "stdin"
    """`argument` only for a command that takes nothing else: other users of the machine can see
    the arguments of a process."""
    plain_argv: Words = ()
    """Added where the seat has no evidence to read: as few tools as the command allows."""
    evidence_argv: Words = ()
    """Added where it has: read-only tools. Without it the engine cannot be given evidence."""
    files: FilesByName = Field(default_factory=dict)
    """Files put into the seat's own folder before the command starts, by name."""
    evidence_files: FilesByName = Field(default_factory=dict)
    """The same in place of those of that name, where the seat has evidence."""
    environment: Words = ()
    """Variables passed on besides the usual ones; `NAME_*` stands for all that begin so."""
    set_environment: Mapping[str, str] = Field(default_factory=dict)
    homes: NamesBelow = ()
    """What of the home folder the command needs in a sandbox: its settings and login."""
    output: OutputShape = OutputShape()
    version_argv: Words = ()
    """What makes it say its version, in one line; without it nothing is asked."""
    login_argv: Words = ()
    """What tells whether somebody is logged in: status 0 where so."""
    login_variables: Words = ()
    """Any of these set is as good as a login."""
    login_words: Words = ()
    """What the command says, in any case, where nobody is logged in."""
    login_statuses: tuple[int, ...] = ()
    """Exit statuses that mean the same."""
    login_hint: str = ""
    install_hint: str = ""
    sends_to: str = ""
    """The host that prompts go to, for whoever says yes."""
    read_only: bool = True
    """False where the command cannot be kept from writing."""


EngineEntry: TypeAlias = Annotated[ApiEntry | OfflineEntry | CliEntry, Field(discriminator="kind")]
"""Another kind comes in as another shape with its own word for `kind`."""
