from __future__ import annotations

from keystone_roundtable.core.tokens import token_estimate


def test_tokens_are_estimated_for_any_script() -> None:
    assert 200 <= token_estimate("word " * 200) <= 400
    assert 150 <= token_estimate("字" * 200) <= 300
