"""`list` and `show`: what a project's sessions are and said."""

from __future__ import annotations

import json
from argparse import Namespace
from dataclasses import asdict
from itertools import islice

from ...core.plain import one_line, plain
from ...core.report import shorten
from ...core.session import Session
from ...stores.sessions import SessionStore
from ..presenting import describe_internal, describe_so_far, session_object
from ..wiring import Project, replayed, root_of


def list_sessions(options: Namespace) -> int:
    store = SessionStore(root_of(options.root))
    found = store.summaries()
    summaries = list(islice(found, options.limit) if options.limit > 0 else found)
    if options.json:
        sessions = [asdict(summary) for summary in summaries]
        print(json.dumps({"sessions": sessions}, ensure_ascii=False, indent=2))
        return 0
    if not summaries:
        print("No sessions yet. Start one with: keystone-roundtable")
    for summary in summaries:
        ended = summary.decision or summary.status
        topic = shorten(one_line(summary.topic), 60)
        print(f"{summary.id}  {ended:20}  {summary.problem or topic}")
    return 0


def show(options: Namespace) -> int:
    project = Project(root_of(options.root))
    session_id = project.store.resolve(options.session)
    session = read_session(project, session_id)
    if options.json:
        shown = session_object(session, project)
        print(json.dumps(shown, ensure_ascii=False, indent=2))
        return 0
    report = project.store.folder(session_id) / "report.md"
    if session.closed and report.is_file():
        print(plain(report.read_text(encoding="utf-8")))
    else:
        print(plain(describe_so_far(session)))
    if options.internal and session.preview is not None:
        print(plain(describe_internal(session)))
    return 0


def read_session(project: Project, session_id: str) -> Session:
    """The session as its log tells it."""
    return replayed(project.store.read(session_id).events, session_id)
