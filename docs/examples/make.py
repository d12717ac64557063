"""Holds the example sessions with the built-in moderator and writes their pages.

Run from anywhere: `python docs/examples/make.py`.
"""

from __future__ import annotations

import io
import json
import tempfile
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

import yaml

from keystone_roundtable.cli.main import main

HERE = Path(__file__).resolve().parent


def examples() -> list[dict[str, Any]]:
    """The topics with their answers, in order."""
    items: list[dict[str, Any]] = yaml.safe_load((HERE / "sessions.yaml").read_text("utf-8"))
    return items


def hold(example: dict[str, Any]) -> dict[str, Any]:
    """The object that `run --json` gives for an example."""
    out = io.StringIO()
    with tempfile.TemporaryDirectory() as folder:
        answers = Path(folder) / "answers.jsonl"
        lines = (json.dumps({"text": text}) for text in example["answers"])
        answers.write_text("\n".join(lines), "utf-8")
        words = ["run", "--root", folder, "--answers", str(answers), "--json"]
        words += ["--mode", example["mode"]] if "mode" in example else []
        with redirect_stdout(out), redirect_stderr(io.StringIO()):
            main([*words, "--", example["topic"]])
    held: dict[str, Any] = json.loads(out.getvalue())
    return held


def page(example: dict[str, Any], held: dict[str, Any]) -> str:
    """The session as Markdown: the topic, each question with its answers, the report."""
    parts = [f"# {example['name']}", "", f"> {example['topic']}", ""]
    for question in held["questions"]:
        parts.append(f"**{question['id']}** {question['text']}")
        parts += [f"- {answer['text']} *({answer['signal']})*" for answer in question["answers"]]
        parts.append("")
    if held["report_markdown"]:
        contract = held["contract"]
        parts += [held["report_markdown"].rstrip(), ""]
        parts.append(
            f"Contract: {contract['decision']}, confidence {contract['confidence']} "
            f"({', '.join(contract['confidence_reasons'])}), next skill {contract['next_skill']}."
        )
    elif held["exit"]["name"] == "redirected":
        parts.append(f"No session: this belongs to {held['route']}.")
    else:
        parts.append(f"{held['exit']['name'].capitalize()}: the answers ran out.")
    return "\n".join(parts) + "\n"


if __name__ == "__main__":
    for number, item in enumerate(examples(), 1):
        target = HERE / f"{number:02}-{item['name']}.md"
        target.write_text(page(item, hold(item)), "utf-8")
        print(target.name)
