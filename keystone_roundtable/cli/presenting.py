"""A session as one JSON object, and as a few lines of text."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ..core.outcome import ExitStatus, outcome_of
from ..core.plain import one_line
from ..core.report import shorten
from ..core.session import Session, Turn
from ..core.status import Status
from ..runtime.closing import end_of, usage_counts
from ..runtime.conversation import status_of
from .typed import as_typed
from .wiring import Project

EXIT_NAMES: dict[ExitStatus, str] = {
    ExitStatus.OK: "ok",
    ExitStatus.FAILURE: "failure",
    ExitStatus.USAGE: "usage",
    ExitStatus.ESCALATED: "escalate",
    ExitStatus.DEFERRED: "deferred",
    ExitStatus.REDIRECTED: "redirected",
    ExitStatus.PAUSED: "paused",
    ExitStatus.INTERRUPTED: "interrupted",
}


def session_object(session: Session, project: Project) -> dict[str, Any]:
    """The one object of `run --json`, whatever the end."""
    status = status_of(session)
    return {
        "session": session.id,
        "route": session.start.route,
        "mode": session.preview.mode if session.preview else None,
        "decision_topic": session.decision_topic if session.preview else None,
        "options": [{"id": o.id, "text": o.text, "source": o.source} for o in session.options],
        "roles": list(session.preview.roles) if session.preview else [],
        "questions": [_question(turn) for turn in session.turns],
        **_end(session, project),
        "paths": _paths(session, project),
        "usage": {"model": session.start.model, **usage_counts(session)},
        "exit": {"name": EXIT_NAMES[status], "status": int(status)},
    }


def _question(turn: Turn) -> dict[str, Any]:
    answers = [*turn.clarifications, *([turn.answer] if turn.answer else [])]
    return {
        "id": turn.question.id,
        "template": turn.question.template,
        "slot": turn.question.slot,
        "text": turn.question.text,
        "answers": [{"text": a.text, "signal": a.signal, "by": a.by} for a in answers],
    }


def _end(session: Session, project: Project) -> dict[str, Any]:
    if session.status is not Status.FINISHED:
        return {
            "exit_reason": None,
            "report": None,
            "report_markdown": None,
            "contract": None,
            "checklist": [],
        }
    end = end_of(session, outcome_of(session), project.writer)
    return {
        "exit_reason": session.phase_exit,
        "report": end.report.model_dump(mode="json"),
        "report_markdown": end.report_markdown,
        "contract": end.contract.model_dump(mode="json"),
        "checklist": [point.model_dump(mode="json") for point in end.checklist],
    }


def _paths(session: Session, project: Project) -> dict[str, str | None]:
    folder = project.store.folder(session.id)
    keystone = project.root / ".keystone"
    month = (session.finished_at or session.last_at)[:7]
    candidates: dict[str, Path] = {
        "session": folder,
        "report": folder / "report.md",
        "contract": folder / "contract.json",
        "contract_yaml": folder / "contract.yaml",
        "state": keystone / "state.json",
        "telemetry": keystone / "telemetry" / "events" / f"{month}.jsonl",
    }
    return {
        name: as_typed(str(path)) if path.exists() else None for name, path in candidates.items()
    }


def describe_so_far(session: Session) -> str:
    """What was said, in a few lines."""
    lines = [f"Topic: {shorten(one_line(session.start.topic), 200)}"]
    if session.preview is not None:
        lines.append(f"Mode: {session.prepared.mode} ({session.prepared.mode_reason})")
    for turn in session.turns:
        lines.append(f"{turn.question.id}. {turn.question.text}")
        said = shorten(one_line(turn.words), 160) if turn.answer else "(open)"
        lines.append(f"    {said}")
    lines += [f"Note: {shorten(one_line(note.text), 160)}" for note in session.notes]
    lines.append(f"Status: {session.status}")
    return "\n".join(lines)


def describe_internal(session: Session) -> str:
    """The preview that was never shown while the session ran."""
    preview = session.prepared
    lines = [
        "",
        "## Internal preview",
        "",
        f"Decision topic: {preview.decision_topic}",
        f"Mode: {preview.mode} ({preview.mode_reason}); complexity: {preview.complexity}",
        "Options:",
    ]
    for option in preview.options:
        told: list[str] = [option.source, option.reversibility]
        told += ["the topic leans here"] if option.id == preview.lean else []
        lines.append(f"- {option.id}: {one_line(option.text)} ({', '.join(told)})")
    for view in preview.views:
        lines += [
            f"- {view.role}",
            f"    Position: {view.position}",
            f"    Reason: {view.reason}",
            f"    Risk: {view.risk}",
        ]
    return "\n".join(lines)
