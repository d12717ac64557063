"""What the calling agent is asked and replies: one call at a time, until something comes of it."""

from __future__ import annotations

import pytest

from keystone_roundtable.core import events as ev
from keystone_roundtable.core.errors import IllegalEventError
from keystone_roundtable.core.records import Assessment
from keystone_roundtable.core.status import Status

from .builders import Held, model_asked, standing_in


def asked(**changes: str) -> Held:
    return standing_in(Status.ASSESSING).happen(ev.ModelAsked, **model_asked(**changes))


def test_a_reply_goes_with_the_call_that_is_open() -> None:
    session = asked().happen(ev.ModelReplied, call="c1", reply="{}").session
    (exchange,) = session.exchanges
    assert (exchange.asked.call, exchange.reply) == ("c1", "{}")
    assert exchange.replied_at > exchange.asked.at


@pytest.mark.parametrize("call", ["c0", "c2", ""])
def test_a_reply_to_another_call_is_refused(call: str) -> None:
    with pytest.raises(IllegalEventError, match="not the open call"):
        asked().happen(ev.ModelReplied, call=call, reply="{}")


def test_a_second_reply_to_one_call_is_refused() -> None:
    replied = asked().happen(ev.ModelReplied, call="c1", reply="{}")
    with pytest.raises(IllegalEventError, match="not the open call"):
        replied.happen(ev.ModelReplied, call="c1", reply="{}")


def test_each_call_has_a_fresh_id_also_after_the_step_is_done() -> None:
    done = asked().happen(ev.AnswerAssessed, assessment=Assessment(asking="k1"))
    assert done.session.exchanges == ()
    again = done.ask().give()
    with pytest.raises(IllegalEventError, match="fresh call id"):
        again.happen(ev.ModelAsked, **model_asked(call="c1"))
    assert again.happen(ev.ModelAsked, **model_asked(call="c2")).session.model_askings == 2


def test_a_pause_leaves_the_open_call_open() -> None:
    paused = asked().happen(ev.Paused, cause="quit").happen(ev.Resumed)
    assert [one.asked.call for one in paused.session.exchanges] == ["c1"]


def test_another_model_has_nothing_to_do_with_what_the_agent_was_asked() -> None:
    assert asked().happen(ev.ModelChanged, model="offline").session.exchanges == ()
