"""Asks a provider through pydantic-ai: the only module that knows it, and only once it is needed.

Tried and chosen, per kind:

- `openai` goes through Chat Completions, not Responses: the same path as every compatible server,
  so it is the one that is tested, gateways speak it, and nothing is kept at the provider.
- The schema goes out as `response_format: json_schema` wherever the model's profile has it: of the
  forms that llama.cpp, Ollama, LM Studio and vLLM take, it is the one common to all (LM Studio
  refuses `json_object`). Servers that constrain the decoding show the model no schema, and some
  (Ollama's cloud models) accept and ignore it; so for `openai-chat` and `ollama` the schema also
  stands in the prompt. Tools were rejected as the way: small models forget to call them, and a
  forced call excludes thinking.
- A server that refuses the request as such (400, 422) gets it once more without `response_format`,
  and so from then on.
- Retries of the libraries are off: they would multiply the time limit and hide requests.
"""

from __future__ import annotations

import importlib
import json
import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ...core.errors import ModelFailureError, UsageError
from ...core.plain import one_line, storable
from .spec import ModelSpec, base_url, destination, key_of, key_variable
from .transport import Connection, Prompt, RawReply, TransportError, Usage

if TYPE_CHECKING:
    from pydantic_ai.messages import ModelResponse
    from pydantic_ai.models import Model

_SCHEMA_HEADING = "Reply with one JSON object that fits this JSON schema, and with nothing else:"
# Servers of these kinds may constrain the decoding without telling the model what is wanted.
_SCHEMA_UNSEEN = ("openai-chat", "ollama")
# Anthropic wants a number. A conclusion in a wordy language stays below; chosen by judgement.
_MAX_TOKENS = 8192
_GRACE_S = 60  # more than a reply takes from the wire to our own limit
_SHOWN = 200  # characters of a server's own words


def prepare(spec: ModelSpec) -> None:
    """Imports what asking this model needs, about a second's work: meant for a thread.

    What is missing is told by `connect`, not here.
    """
    try:
        _import(spec)
    except ModelFailureError:
        return


def connect(spec: ModelSpec, environ: Mapping[str, str], timeout_s: float) -> Connection:
    """Ready to ask; nothing is sent yet. Each request ends within `timeout_s`.

    Raises `ModelFailureError`: `missing` where the extra is not installed, `refused` where a key or
    an address is not set.
    """
    facts = spec.facts
    try:
        url, key = base_url(facts, environ), key_of(facts, environ)
    except UsageError as error:
        raise ModelFailureError(error.message, error.hint, kind="refused") from error
    if facts.key_needed and not key:
        names = " or ".join(facts.key_variables)
        raise ModelFailureError(
            f"{spec} needs a key, and {names} is not set", f"Set {names}", kind="refused"
        )
    _import(spec)
    return _PydanticAi(spec, url, key or None, environ, timeout_s)


def instrument(*, content: bool) -> None:
    """Traces every request from now on; prompts and replies only with `content`."""
    from pydantic_ai import Agent
    from pydantic_ai.models.instrumented import InstrumentationSettings

    # The request parameters hold the instructions, which are content too.
    Agent.instrument_all(
        InstrumentationSettings(
            include_content=content,
            include_binary_content=content,
            include_model_request_parameters=content,
        )
    )


def http_client(timeout_s: float) -> Any:
    """A client that waits for a reply as long as a request may take, and longer.

    Its own limit, ten minutes, would else end a slow local model's reply before ours does.
    """
    from pydantic_ai.models import create_async_httpx2_client

    client = create_async_httpx2_client()
    client.timeout.read = max(client.timeout.read or 0.0, timeout_s + _GRACE_S)
    return client


def _import(spec: ModelSpec) -> None:
    try:
        for name in ("pydantic_ai.direct", "pydantic_ai.models", spec.facts.library):
            importlib.import_module(name)
    except ImportError as error:
        raise ModelFailureError(
            f"{spec} needs the extra '{spec.facts.extra}', which is not installed",
            f"Install it: {spec.facts.install_command}",
            kind="missing",
        ) from error


def _model(spec: ModelSpec, url: str, key: str | None, client: Any) -> Model:
    if spec.kind == "anthropic":
        from pydantic_ai.models.anthropic import AnthropicModel
        from pydantic_ai.providers.anthropic import AnthropicProvider

        return AnthropicModel(
            spec.name, provider=AnthropicProvider(api_key=key, base_url=url, http_client=client)
        )
    if spec.kind == "google":
        from pydantic_ai.models.google import GoogleModel
        from pydantic_ai.providers.google import GoogleProvider

        return GoogleModel(
            spec.name, provider=GoogleProvider(api_key=key, base_url=url, http_client=client)
        )
    from pydantic_ai.models.openai import OpenAIChatModel
    from pydantic_ai.profiles.openai import OpenAIModelProfile
    from pydantic_ai.providers.openai import OpenAIProvider
    from pydantic_ai.providers.openai_compatible import OpenAICompatibleProvider

    if spec.kind == "openai":
        return OpenAIChatModel(
            spec.name, provider=OpenAIProvider(api_key=key, base_url=url, http_client=client)
        )
    if spec.kind == "ollama":
        from pydantic_ai.models.ollama import OllamaModel
        from pydantic_ai.providers.ollama import OllamaProvider

        return OllamaModel(spec.name, provider=OllamaProvider(url, http_client=client))
    return OpenAIChatModel(
        spec.name,
        provider=OpenAICompatibleProvider(
            "openai-compatible", base_url=url, api_key=key, http_client=client
        ),
        # Strictness is OpenAI's own: some servers stumble over the key.
        profile=OpenAIModelProfile(
            supports_json_schema_output=True, openai_supports_strict_tool_definition=False
        ),
    )


class _PydanticAi:
    """One model over one HTTP client, used from one event loop."""

    def __init__(
        self,
        spec: ModelSpec,
        url: str,
        key: str | None,
        environ: Mapping[str, str],
        timeout_s: float,
    ) -> None:
        self._spec, self._timeout_s = spec, timeout_s
        self._key_variable = key_variable(spec.facts, environ)
        self._where = destination(spec.facts, environ)
        self._http = http_client(timeout_s)
        self._model = _model(spec, url, key, self._http)
        self._takes_schema = bool(self._model.profile.get("supports_json_schema_output", False))

    async def close(self) -> None:
        await self._http.aclose()

    async def request(self, prompt: Prompt) -> RawReply:
        from pydantic_ai.direct import model_request
        from pydantic_ai.exceptions import AgentRunError, ContentFilterError
        from pydantic_ai.messages import ModelRequest, UserPromptPart
        from pydantic_ai.models import ModelRequestParameters
        from pydantic_ai.output import OutputObjectDefinition

        takes_schema = self._takes_schema
        user = prompt.user
        if not takes_schema or self._spec.kind in _SCHEMA_UNSEEN:
            schema = json.dumps(prompt.schema, ensure_ascii=False, separators=(",", ":"))
            user = f"{_SCHEMA_HEADING}\n{schema}\n\n{user}"
        parameters = ModelRequestParameters()
        if takes_schema:
            parameters = ModelRequestParameters(
                output_mode="native",
                output_object=OutputObjectDefinition(prompt.schema, name=prompt.schema_name),
                prompted_output_template=False,
            )
        try:
            response = await model_request(
                self._model,
                [ModelRequest(parts=[UserPromptPart(user)], instructions=prompt.stable)],
                model_settings=self._settings(),
                model_request_parameters=parameters,
            )
        except ContentFilterError:
            return RawReply("", "filtered", Usage())
        except AgentRunError as error:
            raise self._translated(error, takes_schema) from error
        return self._reply(response)

    def _settings(self) -> Any:
        # No announcement: what goes out is our prompt, which has no frames to explain.
        settings: dict[str, Any] = {
            "request_timeout": self._timeout_s,
            "framing_announcement": "never",
        }
        if self._spec.kind != "google":  # whose library does not retry unless told to
            settings["max_retries"] = 0
        if self._spec.kind == "anthropic":
            settings |= {"anthropic_cache_instructions": True, "max_tokens": _MAX_TOKENS}
        return settings

    def _reply(self, response: ModelResponse) -> RawReply:
        from pydantic_ai.messages import TextPart

        parts = (part.content for part in response.parts if isinstance(part, TextPart))
        text = storable("".join(parts))
        usage = response.usage
        if usage.unmeasured_requests:
            told = Usage()
        else:
            cached: int | None = usage.cache_read_tokens
            if not cached and self._spec.kind in ("openai-chat", "ollama"):
                cached = None  # most such servers do not say
            told = Usage(usage.input_tokens, cached, usage.output_tokens, _cost(response))
        if response.finish_reason == "length":
            return RawReply(text, "truncated", told)
        if response.finish_reason == "content_filter":
            return RawReply(text, "filtered", told)
        return RawReply(text, "complete", told)

    def _translated(self, error: Exception, took_schema: bool) -> TransportError:
        from pydantic_ai import exceptions as ai

        model, where = self._spec, self._where
        status = error.status_code if isinstance(error, ai.ModelHTTPError) else None
        said = f" ({status}): {_words(error)}" if status else f": {_words(error)}"
        if isinstance(error, ai.ModelRequestTimeout):
            return TransportError(
                f"{model} gave no reply within {self._timeout_s:g} s",
                "Set a longer --timeout, or choose a faster model",
                kind="timeout",
            )
        if isinstance(error, ai.ModelConnectionError):
            if isinstance(error, ai.ModelTimeoutError) and error.phase != "connect":
                return TransportError(f"{model} gave no reply in time", kind="timeout")
            sent = error.phase not in ("connect", "pool") and not _refused_connection(error)
            return TransportError(
                f"{where} dropped the connection" if sent else f"{where} cannot be reached",
                self._how_to_reach(),
                kind="unreachable",
                retry=sent,
                once=True,
            )
        if isinstance(error, ai.ModelAuthenticationError):
            return TransportError(
                f"{where} refuses the request{said}",
                self._how_to_enter(),
                kind="refused",
                refused="credentials",
            )
        if isinstance(error, ai.ModelQuotaExceededError):
            return TransportError(f"{where} says the quota is used up{said}", kind="limited")
        if status == 429 or isinstance(error, ai.ModelRateLimitError):
            return TransportError(
                f"{where} asks for fewer requests{said}",
                _when(error),
                kind="limited",
                retry=True,
                retry_after_s=_retry_after(error),
            )
        if isinstance(error, ai.ModelNotFoundError):
            return TransportError(
                f"{where} knows no model '{model.name}'{said}",
                self._how_to_name(),
                kind="refused",
                refused="model",
            )
        if status is not None and status < 500:
            rejected = status in (400, 422) and took_schema
            rejected = rejected and not isinstance(error, ai.ModelContextWindowExceededError)
            if rejected:
                self._takes_schema = False
            return TransportError(
                f"{where} refuses the request{said}", kind="refused", retry=rejected, once=True
            )
        if status is not None:
            return TransportError(
                f"{where} failed{said}",
                _when(error),
                kind="server",
                retry=True,
                retry_after_s=_retry_after(error),
            )
        return TransportError(
            f"{where} sent what is no reply of a model{said}", self._how_to_reach(), kind="server"
        )

    def _how_to_enter(self) -> str:
        facts = self._spec.facts
        if self._key_variable:
            return f"Set {self._key_variable} to a key that is valid for {self._where}"
        return f"Set {' or '.join(facts.key_variables)}" if facts.key_variables else ""

    def _how_to_reach(self) -> str:
        variable = self._spec.facts.url_variables[0]
        if self._spec.kind == "ollama":
            return f"Start it with 'ollama serve', or set {variable}"
        return f"Check the network, and {variable} where it is set"

    def _how_to_name(self) -> str:
        if self._spec.kind == "ollama":
            return f"Get it with 'ollama pull {self._spec.name}'"
        return "Check the model's name and the address"


def _cost(response: ModelResponse) -> float | None:
    """What the response cost by the price list; None where that does not know the model."""
    try:
        return float(response.cost().total_price)
    except (LookupError, ValueError, AssertionError):
        return None


def _retry_after(error: Exception) -> float | None:
    seconds = getattr(error, "retry_after", None)
    return seconds if isinstance(seconds, float) else None


def _when(error: Exception) -> str:
    seconds = _retry_after(error)
    return f"Try again in {math.ceil(seconds)} s" if seconds else "Try again later"


def _refused_connection(error: BaseException | None) -> bool:
    """Whether nobody listened there: then nothing was sent."""
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        if isinstance(error, ConnectionRefusedError) or type(error).__name__ == "ConnectError":
            return True
        seen.add(id(error))
        error = error.__cause__ or error.__context__
    return False


def _words(error: Exception) -> str:
    """The server's own words on one line, cut."""
    body = getattr(error, "body", None)
    for key in ("error", "message"):
        if isinstance(body, dict) and body.get(key):
            body = body[key]
    text = one_line(body if isinstance(body, str) else "" if body else str(error))
    if not text:
        text = "no reason given"
    return text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"
