"""What a spec such as `openai-chat:qwen3` names: its kind, its variables, where text would go.

Nothing of a provider is imported here, and no key is ever shown.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, get_args
from urllib.parse import SplitResult, urlsplit

from ...core.errors import UsageError
from ...core.secrets import is_key, shown

Kind = Literal["offline", "host", "openai", "openai-chat", "anthropic", "google", "ollama"]

_OLLAMA_PORT = 11434


@dataclass(frozen=True)
class KindFacts:
    """What is fixed for every model of a kind.

    `key_variables` and `url_variables` are environment variables, the first that is set counts.
    `extra` is what to install, `library` the import that shows it is; both "" where nothing is
    needed. `default_url` is "" where the kind has no address of its own.
    """

    kind: Kind
    key_variables: tuple[str, ...] = ()
    key_needed: bool = False
    url_variables: tuple[str, ...] = ()
    default_url: str = ""
    extra: str = ""
    library: str = ""

    @property
    def remote(self) -> bool:
        """False for `offline` and `host`, which send nothing."""
        return bool(self.extra)

    @property
    def install_command(self) -> str:
        return f"pip install 'keystone-roundtable[{self.extra}]'" if self.extra else ""


KINDS: dict[Kind, KindFacts] = {
    facts.kind: facts
    for facts in (
        KindFacts("offline"),
        KindFacts("host"),
        KindFacts(
            "openai",
            key_variables=("OPENAI_API_KEY",),
            key_needed=True,
            url_variables=("OPENAI_BASE_URL",),
            default_url="https://api.openai.com/v1",
            extra="openai",
            library="openai",
        ),
        KindFacts(
            "openai-chat",
            key_variables=("OPENAI_API_KEY",),
            url_variables=("OPENAI_BASE_URL",),
            extra="openai",
            library="openai",
        ),
        KindFacts(
            "anthropic",
            key_variables=("ANTHROPIC_API_KEY",),
            key_needed=True,
            url_variables=("ANTHROPIC_BASE_URL",),
            default_url="https://api.anthropic.com",
            extra="anthropic",
            library="anthropic",
        ),
        KindFacts(
            "google",
            key_variables=("GOOGLE_API_KEY", "GEMINI_API_KEY"),
            key_needed=True,
            url_variables=("GOOGLE_GEMINI_BASE_URL",),
            default_url="https://generativelanguage.googleapis.com",
            extra="google",
            library="google.genai",
        ),
        KindFacts(
            "ollama",
            url_variables=("OLLAMA_BASE_URL", "OLLAMA_HOST"),
            default_url=f"http://localhost:{_OLLAMA_PORT}",
            extra="openai",
            library="openai",
        ),
    )
}

POSSIBLE = "offline, host, " + ", ".join(f"{kind}:NAME" for kind, f in KINDS.items() if f.remote)


@dataclass(frozen=True)
class ModelSpec:
    """One model: its kind, and its name at the provider ("" for `offline` and `host`)."""

    kind: Kind
    name: str = ""

    def __str__(self) -> str:
        return f"{self.kind}:{self.name}" if self.name else self.kind

    @property
    def facts(self) -> KindFacts:
        return KINDS[self.kind]


def parse_spec(text: str) -> ModelSpec:
    """The one model that `text` names. A name may hold colons: `ollama:qwen3:8b`.

    Raises `UsageError` that says what is wrong and what is possible.
    """
    kind, colon, name = text.strip().partition(":")
    if kind not in get_args(Kind):
        if not kind:
            raise _wrong(text, "the kind of model is missing")
        raise _wrong(text, f"there is no kind of model '{_safe(kind)}'")
    facts = KINDS[kind]  # type: ignore[index]  # checked above; mypy does not narrow by get_args
    if facts.remote and not name:
        raise _wrong(text, f"the model's name is missing after '{kind}:'")
    if not facts.remote and colon:
        raise _wrong(text, f"'{kind}' takes no name")
    if not name.isprintable() or any(c.isspace() for c in name):
        raise _wrong(text, "a model's name holds no spaces")
    if is_key(name):  # a name is shown, and stands in logs
        raise _wrong(text, "a key stands where the model's name belongs")
    return ModelSpec(facts.kind, name)


def parse_chain(text: str) -> tuple[ModelSpec, ...]:
    """The models of `A,B,offline` in order; one for a plain spec.

    `offline` may only stand last, and `host` only alone. Raises `UsageError`.
    """
    chain = tuple(parse_spec(part) for part in text.split(","))
    for spec in chain[:-1]:
        if spec.kind == "offline":
            raise _wrong(text, "nothing can follow 'offline', which never fails")
    if len(chain) > 1 and any(spec.kind == "host" for spec in chain):
        raise _wrong(text, "'host' stands alone: the calling agent answers, or the session waits")
    if len(set(chain)) < len(chain):
        raise _wrong(text, "a model is named twice")
    return chain


def key_variable(facts: KindFacts, environ: Mapping[str, str]) -> str | None:
    """The variable whose key would be used; None where none is set."""
    return next((name for name in facts.key_variables if environ.get(name, "").strip()), None)


def key_of(facts: KindFacts, environ: Mapping[str, str]) -> str:
    """The key that would be used; "" where none is set.

    Raises `UsageError`, without the key, for one that no header of a request can carry.
    """
    variable = key_variable(facts, environ)
    key = environ[variable].strip() if variable else ""
    if not (key.isascii() and key.isprintable()):
        raise UsageError(
            f"{variable} holds characters that no request can carry",
            "Set it anew: no quotes around it, no line break within",
        )
    return key


def base_url(facts: KindFacts, environ: Mapping[str, str]) -> str:
    """The address that requests go to; "" for the kinds that send nothing.

    Raises `UsageError` where a variable holds no http address, or the needed one is not set.
    """
    for variable in facts.url_variables:
        if value := environ.get(variable, "").strip():
            return _address(facts.kind, variable, value)
    if facts.remote and not facts.default_url:
        raise UsageError(
            f"{facts.url_variables[0]} is not set, so '{facts.kind}' has no server to ask",
            f"Set it to the server's address, as in {facts.url_variables[0]}=http://localhost:8080/v1",
        )
    return _address(facts.kind, "", facts.default_url) if facts.default_url else ""


def destination(facts: KindFacts, environ: Mapping[str, str]) -> str:
    """Where topic and answers would go, as `host` or `host:port`; "" where nothing is sent."""
    parts = urlsplit(base_url(facts, environ))
    host = parts.hostname or ""
    host = f"[{host}]" if ":" in host else host
    return f"{host}:{parts.port}" if parts.port else host


def _address(kind: Kind, variable: str, value: str) -> str:
    if kind == "ollama" and "://" not in value:
        value = f"http://{value}"
    try:
        parts = urlsplit(value)
        usable = parts.scheme in ("http", "https") and bool(parts.hostname)
        usable = usable and value.isprintable() and not any(c.isspace() for c in value)
        port = parts.port
    except ValueError:
        usable = False
    if not usable:
        raise UsageError(
            f"{variable} holds no http address", f"Set it as in {variable}=http://localhost:8080/v1"
        )
    return _ollama_address(parts, port) if kind == "ollama" else value.rstrip("/")


def _ollama_address(parts: SplitResult, port: int | None) -> str:
    """Ollama's OpenAI-compatible address; `OLLAMA_HOST` may be what a server listens on."""
    host = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(parts.hostname or "", parts.netloc)
    if host != parts.netloc:
        host += f":{port or _OLLAMA_PORT}"
    elif port is None and parts.scheme == "http":
        host += f":{_OLLAMA_PORT}"
    path = parts.path.rstrip("/")
    return f"{parts.scheme}://{host}{path if path.endswith('/v1') else path + '/v1'}"


def _safe(text: str) -> str:
    return "".join(c if c.isprintable() else "?" for c in shown(text)[:80])


def _wrong(text: str, why: str) -> UsageError:
    return UsageError(
        f"Model '{_safe(text)}': {why}",
        f"Possible are {POSSIBLE}, and a chain such as ollama:qwen3,offline",
    )
