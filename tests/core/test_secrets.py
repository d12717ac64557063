"""What is masked, and what is left alone. The keys are made up."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from keystone_roundtable.core.secrets import mask

R = "0123456789abcdefghijABCDEFGHIJ0123456789"  # the random part of a made key

SECRETS = {
    "openai key": f"sk-{R}",
    "openai project key": f"sk-proj-{R}_-{R}",
    "anthropic key": f"sk-ant-api03-{R}-{R}",
    "google key": f"AIza{R[:35]}",
    "google token": f"ya29.{R}",
    "aws key": "AKIAIOSFODNN7EXAMPLE",
    "github token": f"ghp_{R}",
    "fine github token": f"github_pat_{R}_{R}",
    "gitlab token": "glpat-0123456789abcdefghij",
    "slack token": "xoxb-123456789012-abcdefghijkl",
    "stripe key": "sk_live_0123456789abcdefghij",
    "hugging face token": f"hf_{R}",
    "json web token": "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w",
    "telegram token": f"123456789:{R[:35]}",
}


@pytest.mark.parametrize("name", SECRETS)
@pytest.mark.parametrize(
    "around", ["{}", "the key {} is out", '{{"k":"{}"}}', "a={};", "({})", "é{}。"]
)
def test_a_known_shape_is_masked_wherever_it_stands(name: str, around: str) -> None:
    masked = mask(around.format(SECRETS[name]))
    assert SECRETS[name] not in masked
    assert "[masked: " in masked
    assert masked.count("[masked: ") == 1


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("postgres://app:s3cr3t@db/x", "postgres://app:[masked: password]@db/x"),
        ("redis://:pw@h:1", "redis://:[masked: password]@h:1"),
        (
            "https://u:p%40ss@h and https://h/a:b@c",
            "https://u:[masked: password]@h and https://h/a:b@c",
        ),
        ("Authorization: Bearer abcdef", "Authorization: Bearer [masked: credentials]"),
        ("authorization: Basic dXNlcjpwYXNz", "authorization: Basic [masked: credentials]"),
        ("a Bearer abcdefghij0123456789", "a Bearer [masked: token]"),
        ("password=hunter2", "password=[masked: password]"),
        ('"password": "correct horse battery"', '"password": "[masked: password]"'),
        ("DB_PASSWORD=x7!k", "DB_PASSWORD=[masked: password]"),
        ("token=a8f5f167f44f4964e6c998dee827110c", "token=[masked: secret]"),
        ("export MY_API_KEY='a8f5-f167-f44f'", "export MY_API_KEY='[masked: secret]'"),
        (
            "aws_secret_access_key = wJalrXUtnFEMI/K7MDENG",
            "aws_secret_access_key = [masked: secret]",
        ),
        ("AccountKey=abcDEF123456+/==;x", "AccountKey=[masked: secret];x"),
        (
            "https://hooks.slack.com/services/T0000/B0000/abcdefgh",
            "https://hooks.slack.com/services/[masked: slack hook]",
        ),
    ],
)
def test_what_stands_beside_its_name_is_masked(text: str, masked: str) -> None:
    assert mask(text) == masked


@pytest.mark.parametrize(
    "kind", ["RSA PRIVATE KEY", "PRIVATE KEY", "OPENSSH PRIVATE KEY", "PGP PRIVATE KEY BLOCK"]
)
@pytest.mark.parametrize("line", ["\n", "\\n"])
def test_a_private_key_goes_whole_even_without_its_end(kind: str, line: str) -> None:
    body = line.join([R, R, R[:20] + "=="])
    whole = f"before -----BEGIN {kind}-----{line}{body}{line}-----END {kind}----- after"
    assert mask(whole) == "before [masked: private key] after"
    cut = mask(f"before -----BEGIN {kind}-----{line}{body}")
    assert R not in cut and cut.startswith("before [masked: private key]")


@pytest.mark.parametrize(
    "text",
    [
        "Should we use tokens or passwords for sign-in?",
        "The password: users forget it, so we ask for a link instead.",
        "max_tokens=4096, temperature=0.2",
        "It costs 12,000 euros a year: 3 people, 40 hours.",
        "Our secret: we ship on Fridays.",
        "task-oriented-something-very-long-indeed2",
        "a skilled-craftsman-with-a-long-name",
        "See https://example.org/a/b?c=d#e and mail to me@example.org",
        "Key: the eastern office. Token effort: none. Auth: later.",
        "sha 9fceb02d0ae598e95dc970b74767f19372d61af8",
        "Bearer of bad news",
        "Ask-the-users-first-and-build-it-later",
        "We meet at 10:30 with Ana: Bob comes later.",
    ],
)
def test_prose_is_left_alone(text: str) -> None:
    assert mask(text) == text


PIECES = [
    *SECRETS.values(),
    R,
    "token=",
    "password: ",
    "Bearer ",
    "Authorization: ",
    "://",
    ":",
    "@",
    "/",
    "-----BEGIN PRIVATE KEY-----",
    "-----END PRIVATE KEY-----",
    "[masked: ",
    "]",
    '"',
    "'",
    " ",
    "\n",
    "=",
    "sk-",
    "eyJ",
    "secret",
    "auth",
    "{",
    "x",
    "ü",
    "-",
    "_",
    "1",
]


@given(st.lists(st.sampled_from(PIECES) | st.text(max_size=8), max_size=12).map("".join))
def test_masking_twice_is_masking_once(text: str) -> None:
    once = mask(text)
    assert mask(once) == once
