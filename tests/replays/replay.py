"""A vendor's command, replayed: `replay.py HOW [NAME]`, the prompt on standard input.

It notes what it could see in `$HOME/seen/NAME-N.json`: prompt, arguments, environment, and every
file of its folder with what it holds.
"""

import json
import os
import re
import subprocess
import sys
import time
from pathlib import Path

HOW, NAME = [*sys.argv[1:3], "", ""][:2]
NAME = NAME or "seat"


def seen() -> str:
    prompt = sys.stdin.read()
    folder = Path(os.environ.get("HOME", "/nowhere")) / "seen"
    if folder.is_dir():
        number = len(list(folder.glob(f"{NAME}-*.json")))
        here = {
            str(path): path.read_text(errors="replace")
            for path in sorted(Path.cwd().rglob("*"))
            if path.is_file()
        }
        noted = {"prompt": prompt, "argv": sys.argv, "environ": dict(os.environ),
                 "folder": str(Path.cwd()), "files": here}  # fmt: skip
        (folder / f"{NAME}-{number}.json").write_text(json.dumps(noted))
    return prompt


def answer(prompt: str, name: str = NAME) -> dict:
    """Whatever a room or a table asks for; the first option, unless the name says `other`."""
    options = re.findall(r'^- "(.*)"$', prompt, re.MULTILINE)
    position = options[(1 if "other" in name else 0) % max(1, len(options))] if options else "yes"
    texts = f"{name} has counted the tickets itself. The cost of {position} is known to {name}."
    others = re.search(r'"challenges": \{[^}]*"enum": \["(.*?)"', prompt)
    return {
        "position": position, "confidence": 7, "text": texts, "argument": texts,
        "weakest": "A overlooks what it costs.", "moved_by": "", "changed": "no change",
        "would_change": "A measured loss of more than a tenth.", "vote": position,
        "challenges": others[1] if others else "",
        "self_update": "no change", "rationale": texts, "dissent_note": "", "reason": texts,
    }  # fmt: skip


def claude(text: str, **more: object) -> str:
    return json.dumps(
        {"type": "result", "subtype": "success", "is_error": False, "result": text,
         "total_cost_usd": 0.0125, "usage": {"input_tokens": 900, "output_tokens": 60,
         "cache_read_input_tokens": 100, "cache_creation_input_tokens": 0}, **more},
        ensure_ascii=False,
    )  # fmt: skip


def main() -> int:
    if HOW == "version":
        print("replay 1.2.3")
        return 0
    if HOW == "deaf":  # never reads its input
        time.sleep(600)
    prompt = seen()
    said = json.dumps(answer(prompt), ensure_ascii=False)
    if HOW == "good":
        print(claude(said))
    elif HOW == "plain":
        print("Here is my answer:\n```json\n" + said + "\n```")
    elif HOW == "hang":
        subprocess.Popen(["sleep", "600"])
        time.sleep(600)
    elif HOW == "login-hang":
        print("ERROR: 401 Unauthorized: not logged in, retrying", file=sys.stderr, flush=True)
        time.sleep(600)
    elif HOW == "stubborn":
        import signal

        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        time.sleep(600)
    elif HOW == "login-0":
        print(claude("Not logged in · Please run /login", is_error=True))
    elif HOW == "login-0-text":
        print("Not logged in. Please run /login")
    elif HOW == "login-stderr":
        print("401 Unauthorized: not logged in", file=sys.stderr)
        return 1
    elif HOW == "login-41":
        print("Please set an Auth method", file=sys.stderr)
        return 41
    elif HOW == "flood":
        print("x" * 6_000_000)
    elif HOW == "chatty":
        print("chatter\n" * 10_000 + said)  # the answer at its end
    elif HOW == "escapes":
        told = answer(prompt)
        told["text"] += " \x1b[2J\x1b]0;owned\x07<script>alert(1)</script>"
        print("\x1b[1m" + claude(json.dumps(told)))
    elif HOW == "children":
        subprocess.Popen(["sleep", "601"])
        subprocess.Popen(["sleep", "602"], start_new_session=True)  # out of the group
        print(claude(said))
    elif HOW == "torn":
        sys.stdout.buffer.write('{"result": "das wäre schö'.encode()[:-1])
        sys.stdout.flush()
        os.kill(os.getpid(), 9)
    elif HOW == "torn-0":
        sys.stdout.buffer.write("schö".encode()[:-1])
    elif HOW == "crash":
        print("Traceback: it broke", file=sys.stderr)
        return 3
    elif HOW == "empty":
        print(claude(""))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
