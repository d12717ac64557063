"""Traces of model requests for those who collect them: OpenTelemetry, by its usual variables.

On where `OTEL_TRACES_EXPORTER` names an exporter or `OTEL_EXPORTER_OTLP_ENDPOINT` is set, and the
SDK is installed. Prompts and replies stay out unless `KEYSTONE_OTEL_CONTENT=1`.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from contextlib import suppress
from importlib import import_module
from importlib.metadata import entry_points
from importlib.util import find_spec

from . import providers

CONTENT_VARIABLE = "KEYSTONE_OTEL_CONTENT"


def wanted(environ: Mapping[str, str]) -> bool:
    """Whether the environment asks for traces; says nothing of what is installed."""
    if environ.get("OTEL_SDK_DISABLED", "").strip().lower() == "true":
        return False
    exporter = environ.get("OTEL_TRACES_EXPORTER", "").strip().lower()
    if exporter == "none":
        return False
    return bool(exporter or environ.get("OTEL_EXPORTER_OTLP_ENDPOINT", "").strip())


def start(environ: Mapping[str, str]) -> bool:
    """Traces from now on where that is wanted; True where it is. Never fails the session."""
    if not wanted(environ) or find_spec("opentelemetry") is None:
        return False
    # Whatever a collector's library does wrong is no reason to lose an answer.
    with suppress(Exception):
        _set_up_sdk(environ)
        providers.instrument(content=environ.get(CONTENT_VARIABLE, "").strip() == "1")
        return True
    return False


def _set_up_sdk(environ: Mapping[str, str]) -> None:
    """Sends traces where the variables say, unless a host such as `opentelemetry-instrument`
    already does. The SDK flushes what is left when the program ends.
    """
    from opentelemetry import trace

    if not isinstance(trace.get_tracer_provider(), trace.ProxyTracerProvider):
        return
    sdk = import_module("opentelemetry.sdk.trace")
    export = import_module("opentelemetry.sdk.trace.export")
    resource = import_module("opentelemetry.sdk.resources").Resource
    named = environ.get("OTEL_SERVICE_NAME") or "service.name=" in environ.get(
        "OTEL_RESOURCE_ATTRIBUTES", ""
    )
    provider = sdk.TracerProvider(
        resource=resource.create({} if named else {"service.name": "keystone-roundtable"})
    )
    for name in _exporters(environ):
        for point in entry_points(group="opentelemetry_traces_exporter", name=name):
            provider.add_span_processor(export.BatchSpanProcessor(point.load()()))
    trace.set_tracer_provider(provider)
    # A collector that is away must not write into the conversation.
    logging.getLogger("opentelemetry").addHandler(logging.NullHandler())


def _exporters(environ: Mapping[str, str]) -> list[str]:
    """Names under which the SDK's packages register them; `otlp` is one per protocol."""
    protocol = environ.get("OTEL_EXPORTER_OTLP_TRACES_PROTOCOL") or environ.get(
        "OTEL_EXPORTER_OTLP_PROTOCOL", ""
    )
    otlp = "otlp_proto_grpc" if protocol.strip().lower() == "grpc" else "otlp_proto_http"
    names = (environ.get("OTEL_TRACES_EXPORTER", "").strip() or "otlp").split(",")
    return [otlp if name.strip() == "otlp" else name.strip() for name in names]
