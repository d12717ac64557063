"""Which of the listed paths an answer picks, and which it turns from."""

from __future__ import annotations

import pytest

from keystone_roundtable.cli.wiring import load_rules
from keystone_roundtable.reading.rules import Rules

NOTICES = (
    "build the notification system now",
    "defer it until after the settings refactor",
)
JUNIORS = ("hire two juniors", "hire one senior")
CLOUD = ("move to the cloud", "stay on our own servers")
IMPORTER = ("rewrite the importer in Rust", "keep patching the Python one")
DATABASE = ("Postgres", "MySQL")
LEAVE = ("renew the lease", "not renew the lease")
THREE = ("open a shop in town", "sell at the market", "stay online only")
HEATING = ("repair the boiler", "keep things as they are")

FIRST, SECOND, THIRD, NONE = 0, 1, 2, None

PICKED = [
    # a number or an ordinal wins over the words of the reason
    (NOTICES, "1", FIRST),
    (NOTICES, "2", SECOND),
    (NOTICES, "1 because customers wait for it", FIRST),
    (NOTICES, "2 because it is cheaper", SECOND),
    (NOTICES, "1, because it is cheaper than the refactor", FIRST),
    (NOTICES, "1 is better", FIRST),
    (NOTICES, "1. the refactor can come later", FIRST),
    (NOTICES, "#2, customers can wait", SECOND),
    (NOTICES, "option 2 - building now is too risky", SECOND),
    (NOTICES, "The first, customers are waiting", FIRST),
    (NOTICES, "the second one, since nobody asked for notifications", SECOND),
    (NOTICES, "I'd say the first. The refactor can wait", FIRST),
    (NOTICES, "number one, the settings can be refactored any time", FIRST),
    (NOTICES, "the latter, building twice is silly", SECOND),
    (THREE, "the last one", THIRD),
    (THREE, "3, a shop costs too much", THIRD),
    (THREE, "the second. A shop costs too much", SECOND),
    # the opening answers, the rest gives the reason
    (NOTICES, "build it, the refactor can wait", FIRST),
    (NOTICES, "build it now. The refactor slips every quarter anyway", FIRST),
    (NOTICES, "the notifications, not the refactor", FIRST),
    (NOTICES, "defer it, building now means building it twice", SECOND),
    (NOTICES, "defer, notifications sit on the old settings", SECOND),
    (NOTICES, "building it, because waiting costs us customers", FIRST),
    (NOTICES, "definitely build, we have waited long enough", FIRST),
    (NOTICES, "after the refactor", SECOND),
    (NOTICES, "the one after the refactor, then we build it once", SECOND),
    (NOTICES, "build it before the refactor", FIRST),
    (NOTICES, "I'd go with building it, even though the refactor is close", FIRST),
    (JUNIORS, "one senior, two juniors need too much help", SECOND),
    (JUNIORS, "two juniors: a senior is too expensive", FIRST),
    (JUNIORS, "the senior. juniors need a senior to learn from", SECOND),
    (CLOUD, "stay, moving takes a year", SECOND),
    (CLOUD, "our own servers, the cloud is too expensive", SECOND),
    (CLOUD, "the cloud - our servers are ten years old", FIRST),
    (CLOUD, "move, staying means buying new servers", FIRST),
    (IMPORTER, "rewrite, patching costs us two days a week", FIRST),
    (IMPORTER, "keep patching, a rewrite never ends", SECOND),
    (IMPORTER, "Rust, although everybody here knows Python", FIRST),
    (DATABASE, "MySQL, although everybody loves Postgres", SECOND),
    (DATABASE, "Postgres over MySQL", FIRST),
    (DATABASE, "mysql rather than postgres", SECOND),
    (THREE, "the market, a shop is too expensive and online is dead", SECOND),
    (LEAVE, "renew it, not renewing means moving in winter", FIRST),
    (LEAVE, "not renew it, the roof leaks", SECOND),
    (HEATING, "repair it, we froze last winter", FIRST),
    (HEATING, "keep it as it is, a repair costs 2000", SECOND),
    # turned from one of two: the other one
    (NOTICES, "No more deferring, build it", FIRST),
    (NOTICES, "We should not defer it", FIRST),
    (NOTICES, "not the refactor", FIRST),
    (NOTICES, "don't build it yet, the settings change anyway", SECOND),
    (NOTICES, "the refactor can wait", FIRST),
    (IMPORTER, "stop patching, rewrite it", FIRST),
    (IMPORTER, "no more patches", FIRST),
    (CLOUD, "anything but the cloud", SECOND),
    (THREE, "not the shop, the market", SECOND),
    (DATABASE, "MySQL is too expensive", FIRST),
    (JUNIORS, "I don't want two juniors", SECOND),
    (THREE, "a shop is out of the question, the market", SECOND),
    # a lead-up before it, a conclusion after it
    (NOTICES, "Hmm, honestly? build it", FIRST),
    (NOTICES, "customers are waiting, so build it", FIRST),
    (CLOUD, "well, I think the cloud", FIRST),
    # second thoughts count
    (NOTICES, "build it. No wait, actually defer it", SECOND),
    (DATABASE, "MySQL... on second thought Postgres", FIRST),
    # nothing is picked
    (THREE, "not the shop", NONE),
    (NOTICES, "both", NONE),
    (NOTICES, "customers hear of failed imports by mail", NONE),
    (NOTICES, "3", NONE),
    (NOTICES, "7, lucky number", NONE),
    (NOTICES, "it depends on the refactor and on the notifications", NONE),
    (NOTICES, "fewer support calls", NONE),
    (DATABASE, "Postgres or MySQL, I cannot tell", NONE),
    (JUNIORS, "whoever is cheaper", NONE),
    # other languages
    (
        ("die Leitung erneuern", "die Terrasse bauen"),
        "die Leitung, die Terrasse kann warten",
        FIRST,
    ),
    (
        ("die Leitung erneuern", "die Terrasse bauen"),
        "die Terrasse, weil die Leitung noch hält",
        SECOND,
    ),
    (("die Leitung erneuern", "die Terrasse bauen"), "nicht die Terrasse", FIRST),
    (("louer un local", "rester en ligne"), "louer, rester en ligne ne suffit plus", FIRST),
    (("louer un local", "rester en ligne"), "le deuxième, parce que louer coûte trop", SECOND),
    (("comprar la furgoneta", "alquilar una"), "alquilar, comprar es demasiado caro", SECOND),
    (
        ("alugar o salão", "ficar em casa"),
        "ficar em casa, porque alugar o salão custa muito",
        SECOND,
    ),
    (("купить станок", "взять в аренду"), "купить, аренда дороже", FIRST),
    (("先修屋顶", "先换窗户"), "换窗户，因为屋顶还能撑一年", SECOND),
]


@pytest.fixture(scope="module")
def rules() -> Rules:
    return load_rules()


@pytest.mark.parametrize(("options", "answer", "index"), PICKED)
def test_the_path_that_an_answer_picks(
    rules: Rules, options: tuple[str, ...], answer: str, index: int | None
) -> None:
    assert rules.pick(answer, options).chosen == index
