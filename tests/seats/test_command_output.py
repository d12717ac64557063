"""The answer in what a command put out, however much of it there is and however it is broken."""

from __future__ import annotations

import json

import pytest

from keystone_roundtable.core.engine_entries import OutputShape
from keystone_roundtable.seats.command_output import told_by

SHAPE = OutputShape(form="json", answer="result")


@pytest.mark.parametrize(
    "around",
    [
        "{}",
        "warming up\n{}\ndone",
        "{{ starting }}\n{{ still }}\n{}",
        '{{"torn": [1, 2,\n{}',
        "\x1b[1m{}\x1b[0m",
    ],
)
def test_the_object_is_found_in_what_surrounds_it(around: str) -> None:
    told = told_by(around.format(json.dumps({"result": "the answer"})), SHAPE)
    assert (told.readable, told.answer) == (True, "the answer")


@pytest.mark.parametrize(
    "flood",
    [
        '{"a":\n' * 800_000,  # each beginning is as deep as the reader goes
        ('{"k":\n' * 900 + "]\n") * 500,  # not quite as deep, and broken
        "{ \n" * 1_500_000,
        '{"a": [' + "1," * 1_000_000 + "\n" + '{"b": ' * 10,
    ],
    ids=["deep", "nearly as deep", "braces", "long"],
)
def test_what_is_no_object_is_given_up_after_a_few_readings(
    flood: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is read in vain is counted: no text is read more than a few times its length."""
    read = 0
    decode = json.JSONDecoder.raw_decode

    def counted(self: json.JSONDecoder, text: str, idx: int = 0) -> object:
        nonlocal read
        try:
            return decode(self, text, idx)
        except ValueError as error:
            read += getattr(error, "pos", len(text)) - idx
            raise

    monkeypatch.setattr(json.JSONDecoder, "raw_decode", counted)
    assert not told_by(flood, SHAPE).readable
    assert read <= 6 * len(flood)
