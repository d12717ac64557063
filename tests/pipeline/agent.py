"""A calling agent: it passes on what the user says, and plays the model where it is asked to."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from loopback.dialects import Asked
from loopback.player import playing
from loopback.replies import Reaction

Sent = dict[str, Any]
Send = Callable[[Sent], Sent]
Said = str | dict[str, str]
"""A user's words; or an object of the answers format: `text` and `by`, or `confirm`."""


def code(response: Sent) -> str | None:
    """The error's code, its shape checked; None where the response is no error."""
    fault = response.get("error")
    if fault is None:
        return None
    assert set(response) == {"error"} and set(fault) == {"code", "message", "hint"}
    assert fault["message"] and fault["hint"]
    return str(fault["code"])


@dataclass
class Agent:
    """Drives one session from its start to the end, or until the user says nothing more."""

    send: Send
    play: Reaction = field(default_factory=playing)
    sent: list[Sent] = field(default_factory=list)
    got: list[Sent] = field(default_factory=list)

    def hold(self, topic: str, answers: Iterable[Said], **start: Any) -> Sent:
        """The last response."""
        said = [{"text": one} if isinstance(one, str) else one for one in answers]
        texts = iter([{"by": "user", **one} for one in said if "text" in one])
        confirmation = next((one["confirm"] for one in said if "confirm" in one), None)
        response = self.ask({"op": "start", "topic": topic, **start})
        while True:
            need = response.get("need")
            if need == "model":
                response = self.reply(response)
            elif need == "answer":
                given = next(texts, None)
                if given is None:
                    return response
                response = self.answer(response, **given)
            elif need == "confirm" and confirmation is not None:
                response = self.about(response, "confirm", text=confirmation)
            elif need == "confirm":
                response = self.about(response, "stop")
            else:
                return response

    def ask(self, request: Sent) -> Sent:
        self.sent.append(request)
        self.got.append(self.send(request))
        return self.got[-1]

    def about(self, response: Sent, op: str, **fields: Any) -> Sent:
        """A request for what `response` opened."""
        opened = response["question"]["id"] if "question" in response else response["id"]
        return self.ask({"op": op, "session": response["session"], "for": opened, **fields})

    def answer(self, response: Sent, text: str, by: str = "user") -> Sent:
        return self.about(response, "answer", text=text, by=by)

    def reply(self, response: Sent) -> Sent:
        return self.about(response, "model_reply", reply=self.played(response))

    def played(self, response: Sent) -> str:
        """What the model says to a call, knowing nothing but the response."""
        prompt = response["prompt"]
        return self.play(Asked("host", "host", prompt, prompt, response["schema"], True)).text
