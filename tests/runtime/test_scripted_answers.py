"""Reading a script of answers."""

from __future__ import annotations

from keystone_roundtable.core.inputs import Said
from keystone_roundtable.runtime.scripted import read_answers


def test_a_byte_order_mark_is_no_part_of_the_first_answer() -> None:
    assert list(read_answers(["\ufeffone mail\r\n", "two\n"])) == [Said("one mail"), Said("two")]


def test_json_after_a_byte_order_mark_is_read_as_json() -> None:
    assert list(read_answers(['\ufeff{"text": "one mail", "by": "agent"}\n'])) == [
        Said("one mail", "agent")
    ]
