"""What a request would cost, by the price list that comes with pydantic-ai."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from ...core.errors import UsageError
from .spec import ModelSpec, base_url

# The longest usual reply, a preview with its bank of questions; chosen by judgement.
REPLY_TOKENS = 2000


class Prices(Protocol):
    def estimate(self, spec: ModelSpec, input_tokens: int, output_tokens: int) -> float | None:
        """US dollars; None where the price is not known, which is not 0."""
        ...


class ListPrices:
    """The list of genai-prices as installed: nothing is fetched."""

    def __init__(self, environ: Mapping[str, str]) -> None:
        self._environ = environ

    def estimate(self, spec: ModelSpec, input_tokens: int, output_tokens: int) -> float | None:
        try:
            from genai_prices import Usage, calc_price
        except ImportError:
            return None
        usage = Usage(input_tokens=input_tokens, output_tokens=output_tokens)
        try:
            address = base_url(spec.facts, self._environ)
            return float(calc_price(usage, spec.name, provider_api_url=address).total_price)
        except UsageError:
            return None
        except (LookupError, ValueError):
            pass
        if spec.kind not in ("openai", "anthropic", "google"):
            return None
        try:
            return float(calc_price(usage, spec.name, provider_id=spec.kind).total_price)
        except (LookupError, ValueError):
            return None
