"""Options, leanings and reversibility read from topics, and options named in later answers."""

from __future__ import annotations

import pytest

from keystone_roundtable.content.lexicons import load_option_lexicons
from keystone_roundtable.reading.option_lexicon import OptionLexicon, choose_lexicon
from keystone_roundtable.reading.options import (
    OptionsReading,
    find_reversibility,
    mentions,
    read_options,
    same_option,
)

KEEP = "keep things as they are"


def read(topic: str) -> OptionsReading:
    return read_options(topic, load_option_lexicons())


def texts(topic: str) -> tuple[str, ...]:
    return tuple(option.text for option in read(topic).options)


FORKS: dict[str, list[tuple[str, tuple[str, ...]]]] = {
    "or between steps": [
        (
            "Should we rewrite the importer in Rust or keep patching the Python one?",
            ("rewrite the importer in Rust", "keep patching the Python one"),
        ),
        ("Should I buy or rent?", ("buy", "rent")),
        ("Wait or go?", ("wait", "go")),
        (
            "Is it better to fix the leak ourselves or call a plumber?",
            ("fix the leak ourselves", "call a plumber"),
        ),
        (
            "Can we afford to wait, or should we act now?",
            ("wait", "act now"),
        ),
        (
            "Should we charge for the API? Or keep it free until we have 100 customers?",
            ("charge for the API", "keep it free until we have 100 customers"),
        ),
        (
            "Given the budget freeze, should we pause hiring or cut travel?",
            ("pause hiring", "cut travel"),
        ),
        ("should we go remote or stay in the office", ("go remote", "stay in the office")),
    ],
    "or between things of one verb": [
        (
            "Should we use Rust or Go for the gateway?",
            ("use Rust for the gateway", "use Go for the gateway"),
        ),
        (
            "Do we spend the bequest on more staff, a new roof, or a second bus?",
            (
                "spend the bequest on more staff",
                "spend the bequest on a new roof",
                "spend the bequest on a second bus",
            ),
        ),
        (
            "Should we spend the budget on ads or on content?",
            ("spend the budget on ads", "spend the budget on content"),
        ),
        ("Should we offer refunds or store credit?", ("offer refunds", "offer store credit")),
        (
            "Should we store the files in S3, on our own NAS, or in the database?",
            (
                "store the files in S3",
                "store the files on our own NAS",
                "store the files in the database",
            ),
        ),
        (
            "Should we make the repository public or private?",
            ("make the repository public", "make the repository private"),
        ),
        ("Should we run weekly or monthly reviews?", ("run weekly reviews", "run monthly reviews")),
        ("Should the design team use Figma or Penpot?", ("use Figma", "use Penpot")),
        (
            "Should our choir sing in Latin, in English or both?",
            ("sing in Latin", "sing in English", "sing in both"),
        ),
        (
            "Should we build a portal for partners or an app?",
            ("build a portal for partners", "build an app"),
        ),
        (
            "We could change fonts, colours, spacing, or do nothing. What do you say?",
            ("change fonts", "change colours", "change spacing", "do nothing"),
        ),
    ],
    "lists of three steps": [
        (
            "Should the theatre sell season passes, join a city card, or stay with the desk only?",
            ("sell season passes", "join a city card", "stay with the desk only"),
        ),
        (
            "Hire two more nurses, buy agency hours, or cap admissions until spring?",
            ("hire two more nurses", "buy agency hours", "cap admissions until spring"),
        ),
        (
            "Should we keep the office, shrink it, or give it up altogether?",
            ("keep the office", "shrink the office", "give the office up altogether"),
        ),
    ],
    "or between bare things": [
        (
            "More features, better docs, or fewer bugs: where should the release focus?",
            ("more features", "better docs", "fewer bugs"),
        ),
        ("Payroll moves, fine. One region or two?", ("one region", "two regions")),
        (
            "Podcast or video series for the next two months?",
            ("podcast for the next two months", "video series for the next two months"),
        ),
        (
            "Postgres or MySQL for the orders database?",
            ("Postgres for the orders database", "MySQL for the orders database"),
        ),
        ("monorepo or polyrepo", ("monorepo", "polyrepo")),
        ("It's either a new boiler or a heat pump.", ("a new boiler", "a heat pump")),
    ],
    "now or at another time": [
        (
            "Should we build the search page now or defer it until after the login rework?",
            ("build the search page now", "defer the search page until after the login rework"),
        ),
        (
            "Should we migrate the ledger now or after the audit?",
            ("migrate the ledger now", "migrate the ledger after the audit"),
        ),
        (
            "When should we announce the price rise: now or after the summer?",
            ("announce the price rise now", "announce the price rise after the summer"),
        ),
        (
            "Do we ship the beta this quarter or next?",
            ("ship the beta this quarter", "ship the beta next quarter"),
        ),
        (
            "Should we launch in Germany or France first?",
            ("launch in Germany first", "launch in France first"),
        ),
    ],
    "before or after": [
        (
            "Should we find out why imports stall before or after the launch?",
            (
                "find out why imports stall before the launch",
                "find out why imports stall after the launch",
            ),
        ),
    ],
    "whether": [
        (
            "Not sure whether to renew the lease or move to a smaller flat.",
            ("renew the lease", "move to a smaller flat"),
        ),
        (
            "The question is whether we should renew with the vendor or go with a free tool.",
            ("renew with the vendor", "go with a free tool"),
        ),
        (
            "Not sure if we should postpone the conference or go online.",
            ("postpone the conference", "go online"),
        ),
    ],
    "versus": [
        (
            "Kubernetes vs plain VMs for the new region",
            ("Kubernetes for the new region", "plain VMs for the new region"),
        ),
        ("Build vs buy: we cannot settle it and the budget closes Friday.", ("build", "buy")),
        ("We keep arguing about tabs versus spaces", ("tabs", "spaces")),
    ],
    "either": [
        (
            "Either we buy the license or we write our own scheduler.",
            ("buy the license", "write our own scheduler"),
        ),
        (
            "We are torn: either we hire a head of sales now or we wait until revenue doubles.",
            ("hire a head of sales now", "wait until revenue doubles"),
        ),
    ],
    "instead of": [
        (
            "Should we use Rust instead of Go for the gateway?",
            ("use Rust for the gateway", "use Go for the gateway"),
        ),
        ("Should we lease a van rather than buy one?", ("lease a van", "buy one")),
    ],
    "between": [
        (
            "I'm torn between keeping the monolith and splitting it by domain.",
            ("keep the monolith", "split the monolith by domain"),
        ),
        (
            "We can't decide between hiring a second designer and training the support team.",
            ("hire a second designer", "train the support team"),
        ),
        (
            "We keep going back and forth between a monorepo and separate repositories.",
            ("a monorepo", "separate repositories"),
        ),
    ],
    "which of": [
        (
            "Which of onboarding, billing and search should we fix first?",
            ("onboarding", "billing", "search"),
        ),
        ("Which database should we use, Postgres or Mongo?", ("Postgres", "Mongo")),
        (
            "Where should we hold the retreat: Lisbon, Porto or online?",
            ("Lisbon", "Porto", "online"),
        ),
    ],
    "lists in the text": [
        (
            "Options:\n1) extend the contract\n2) switch supplier\n3) run the depot ourselves",
            (
                "extend the contract",
                "switch supplier",
                "run the depot ourselves",
            ),
        ),
        (
            "Choose one of these paths:\n- rewrite the app\n- wrap the site\n- leave it as it is\n",
            ("rewrite the app", "wrap the site", "leave it as it is"),
        ),
        (
            "Option A: keep the nightly batch. Option B: move to streaming. Option C: do both.",
            ("keep the nightly batch", "move to streaming", "do both"),
        ),
        (
            "Two ideas are on the table: a loyalty card and a redesign of the menu.",
            ("a loyalty card", "a redesign of the menu"),
        ),
        (
            "Pick a theme for the retreat: testing, writing, or free choice.",
            ("testing", "writing", "free choice"),
        ),
        (
            "Our garden has money for one thing: a greenhouse, a rain tank or a tool shed.",
            ("a greenhouse", "a rain tank", "a tool shed"),
        ),
    ],
    "reasons dropped, conditions kept": [
        (
            "Should we merge the two teams, because their tickets overlap, or keep them apart?",
            ("merge the two teams", "keep the two teams apart"),
        ),
        (
            "Should we accept the offer if legal agrees, or keep looking?",
            ("accept the offer if legal agrees", "keep looking"),
        ),
    ],
    "could": [
        (
            "The parish could sell the hall, rent it to the nursery or renovate it for us.",
            ("sell the hall", "rent the hall to the nursery", "renovate the hall for us"),
        ),
    ],
    "rivals": [
        (
            "Marketing wants to rebrand. Engineering wants to fix the backlog. Which first?",
            ("rebrand", "fix the backlog"),
        ),
    ],
    "yes or no": [
        ("Should we stop supporting Windows 7?", ("stop supporting Windows 7", KEEP)),
        ("Is it time to drop Python 3.8 support?", ("drop Python 3.8 support", KEEP)),
        ("Should we tell customers or not?", ("tell customers", KEEP)),
        (
            "Whether to open-source the parser is the question, legal is split.",
            ("open-source the parser", KEEP),
        ),
        ("The CEO wants to buy a competitor. I am not convinced.", ("buy a competitor", KEEP)),
        ("Do we even need a mobile app?", ("have a mobile app", "do without a mobile app")),
    ],
    "what something is to be": [
        ("Should the Windows port be native or WSL2?", ("native", "WSL2")),
        ("Should the first hire be a designer or an engineer?", ("a designer", "an engineer")),
        ("Should pricing be per seat, per use or flat?", ("per seat", "per use", "flat")),
        ("should we be honest or keep quiet?", ("be honest", "keep quiet")),
    ],
    "scope of a fixed direction": [
        (
            "We said build the loyalty card. Full card or just the stamp?",
            ("full card", "just the stamp"),
        ),
        (
            "Payroll moves to a host. Open is where it starts: one site, one land, or everyone.",
            ("one site", "one land", "everyone"),
        ),
    ],
}


@pytest.mark.parametrize(
    ("topic", "expected"),
    [
        pytest.param(*case, id=f"{kind} {n}")
        for kind, cases in FORKS.items()
        for n, case in enumerate(cases, 1)
    ],
)
def test_options_are_found_and_each_stands_alone(topic: str, expected: tuple[str, ...]) -> None:
    assert texts(topic) == expected


LEANS: list[tuple[str, str]] = [
    (
        "I plan to sell the summer house to pay the loan. Talk me out of it.",
        "sell the summer house to pay the loan",
    ),
    ("We have decided to close the southern depot. Challenge it.", "close the southern depot"),
    (
        "Leaning towards letting interns deploy on Fridays. What could go wrong?",
        "let interns deploy on Fridays",
    ),
    ("We are about to change our bank. What have we overlooked?", "change our bank"),
    ("We agreed to add a dark theme; does the PDF belong to it?", "add a dark theme"),
    (
        "Direction is clear, guest checkout, but I cannot name the smallest loop.",
        "go ahead with guest checkout",
    ),
    ("Offline maps are agreed. What depends on them?", "go ahead with offline maps"),
    ("We will switch off the forum. Any reason not to?", "switch off the forum"),
    (
        "The bakery will replace its till with tablets this year, decided.",
        "replace its till with tablets this year",
    ),
    (
        "I am fairly convinced we should stop printing invoices. Poke holes in it.",
        "stop printing invoices",
    ),
    (
        "They talked in the hallway and settled on rewriting the parser. I was not there.",
        "rewrite the parser",
    ),
    (
        "Plan: give every guest the door code. Nobody asked the insurer.",
        "give every guest the door code",
    ),
    (
        "We are splitting the warehouse by product, that part is fixed.",
        "split the warehouse by product",
    ),
    (
        "The idea is to give every store its own budget. Where does it break?",
        "give every store its own budget",
    ),
    ("We chose Vue over React. Was that wise?", "Vue"),
    (
        "I intend to leave my PhD after the second year. Convince me to stay.",
        "leave my PhD after the second year",
    ),
    ("The committee agreed over lunch to cancel the fair. Was that sound?", "cancel the fair"),
    (
        "We would like to open-source the scheduler. What is the downside?",
        "open-source the scheduler",
    ),
    ("We're going to ship the public API. Which dependencies are open?", "ship the public API"),
]


@pytest.mark.parametrize(("topic", "expected"), LEANS)
def test_a_taken_direction_is_the_lean(topic: str, expected: str) -> None:
    reading = read(topic)
    assert reading.lean is not None
    assert reading.options[reading.lean].text == expected


@pytest.mark.parametrize(
    "topic",
    [
        "The CTO wants to sign the contract. I have a bad feeling.",
        "Our architect proposes one shared queue for all teams. Nobody costed it.",
        "Should we use Figma or Penpot?",
        "Do you think we should drop the free tier?",
        "Thinking about replacing cron with Airflow. Overkill?",
    ],
)
def test_what_others_want_or_a_mere_question_is_no_lean(topic: str) -> None:
    reading = read(topic)
    assert reading.options
    assert reading.lean is None


@pytest.mark.parametrize(
    "topic",
    [
        "What should version 3 even be about?",
        "We need to do something about churn but nobody has an idea yet.",
        "If reports, exports or anything else fail, what do we tell customers?",
        "It will take two or three weeks, more or less.",
        "Sooner or later the disk fills up.",
        "Does the API return an error or time out?",
        "The app crashes on start or sometimes later. Why?",
        "How should we approach the mobile strategy?",
        "Make the product better for small shops.",
        "The move will take a week or so.",
        "",
        "???",
        "🙂",
    ],
)
def test_open_topics_and_lists_that_are_no_fork_give_no_options(topic: str) -> None:
    assert read(topic).options == ()


def test_a_pair_of_near_synonyms_stays_one_step() -> None:
    assert texts("Should we require sign-off or approval by legal before each release?") == (
        "require sign-off or approval by legal before each release",
        KEEP,
    )


@pytest.mark.parametrize(
    ("topic", "expected"),
    [
        (
            "Should we build the search page now or defer it until after the login rework?",
            "Should we build the search page now or defer it until after the login rework?",
        ),
        (
            "Do we spend the bequest on more staff, a new roof, or a second bus?",
            "Should we spend the bequest on more staff, a new roof, or a second bus?",
        ),
        ("I plan to sell my car. Good idea?", "Should I sell my car, or keep things as they are?"),
        (
            "The bakery will replace its till with tablets in May, decided.",
            "Should the bakery replace its till with tablets in May, or keep things as they are?",
        ),
        (
            "We said build the loyalty card. Full card or just the stamp?",
            "Should we build the loyalty card: full card or just the stamp?",
        ),
        (
            "Pick a theme for the retreat: testing, writing, or free choice.",
            "Which theme for the retreat: testing, writing, or free choice?",
        ),
        ("What should version 3 even be about?", "What should version 3 even be about?"),
        ("Make the product better for small shops.", None),
    ],
)
def test_the_decision_topic_is_one_question_in_the_persons_words(
    topic: str, expected: str | None
) -> None:
    assert read(topic).decision_topic == expected


@pytest.mark.parametrize(
    ("topic", "expected"),
    [
        (
            "Sollen wir den Vertrag verlängern oder den Anbieter wechseln?",
            ("den Vertrag verlängern", "den Anbieter wechseln"),
        ),
        (
            "Faut-il garder le site actuel ou en bâtir un autre ?",
            ("garder le site actuel", "en bâtir un autre"),
        ),
        (
            "¿Deberíamos abrir los domingos o contratar a otra persona?",
            ("abrir los domingos", "contratar a otra persona"),
        ),
        (
            "Devemos reformar a cozinha ou mudar para um lugar maior?",
            ("reformar a cozinha", "mudar para um lugar maior"),
        ),
        (
            "Стоит ли нам нанять бухгалтера или отдать учёт на сторону?",
            ("нанять бухгалтера", "отдать учёт на сторону"),
        ),
        ("我们应该自建机房还是继续用云服务？", ("自建机房", "继续用云服务")),
        (
            "自社で開発するべきでしょうか、それとも外注するべきでしょうか？",
            ("自社で開発する", "外注する"),
        ),
        (
            "새 창고를 빌릴까요, 아니면 지금 창고를 넓힐까요?",
            ("새 창고를 빌릴까요", "지금 창고를 넓힐까요"),
        ),
        ("เราควรเปิดสาขาใหม่หรือปรับปรุงสาขาเดิม?", ("เปิดสาขาใหม่", "ปรับปรุงสาขาเดิม")),
        (
            "Chúng ta nên thuê thêm nhân viên hay mua máy mới?",
            ("thuê thêm nhân viên", "mua máy mới"),
        ),
        (
            "Apakah kita harus menyewa gudang baru atau memperluas yang lama?",
            ("menyewa gudang baru", "memperluas yang lama"),
        ),
        (
            "क्या हमें नई दुकान खोलनी चाहिए या पुरानी को बड़ा करना चाहिए?",
            ("नई दुकान खोलनी चाहिए", "पुरानी को बड़ा करना चाहिए"),
        ),
        (
            "هل ينبغي أن نفتح فرعا جديدا أم نوسع الفرع الحالي؟",
            ("نفتح فرعا جديدا", "نوسع الفرع الحالي"),
        ),
        ("Postgres 还是 MySQL？", ("Postgres", "MySQL")),
    ],
)
def test_forks_are_found_in_every_language(topic: str, expected: tuple[str, ...]) -> None:
    assert texts(topic) == expected


@pytest.mark.parametrize(
    ("topic", "leaned"),
    [
        (
            "Wir wollen das Archiv endgültig löschen. Was übersehen wir?",
            "das Archiv endgültig löschen",
        ),
        ("我们打算关闭线下门店，但担心老客户。", "关闭线下门店"),
        ("Ya está decidido: vamos a mudar la oficina, pero falta el plazo.", "mudar la oficina"),
        ("Kami memutuskan untuk pindah kantor, tapi khawatir soal biaya.", "pindah kantor"),
    ],
)
def test_leanings_are_found_in_other_languages(topic: str, leaned: str) -> None:
    reading = read(topic)
    assert reading.lean == 0
    assert reading.options[0].text == leaned
    assert reading.options[1].status_quo


def test_the_implied_status_quo_is_marked_and_can_be_undone() -> None:
    implied = read("Should we sell the boat?").options[1]
    assert (implied.source, implied.status_quo, implied.reversibility) == (
        "implied",
        True,
        "reversible",
    )


@pytest.mark.parametrize(
    ("topic", "kept"),
    [
        ("Should we keep the farm or sell it?", "keep the farm"),
        ("Should I take the job in Oslo or stay where I am?", "stay where I am"),
        ("Should the city widen the road, add a bus lane, or do nothing?", "do nothing"),
        ("Publish the report, publish a summary, or not publish at all?", "not publish at all"),
    ],
)
def test_only_the_path_that_keeps_things_is_the_status_quo(topic: str, kept: str) -> None:
    assert [option.text for option in read(topic).options if option.status_quo] == [kept]


def test_waiting_for_a_date_is_a_step_of_its_own() -> None:
    options = read("Should we wait until the vendor ships v5 or migrate now?").options
    assert not any(option.status_quo for option in options)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("delete the inactive accounts", ("irreversible", "delete")),
        ("shut the forum down for good", ("irreversible", "shut the forum down for good")),
        ("sell off the vans", ("irreversible", "sell off")),
        ("drop all customer data", ("irreversible", "drop all customer data")),
        ("drop the staging server", ("unknown", "")),
        ("pilot it in one ward", ("reversible", "pilot")),
        ("ship it behind a flag", ("reversible", "behind a flag")),
        ("this cannot be undone", ("irreversible", "cannot be undone")),
        ("it can be undone in a day", ("reversible", "can be undone")),
        ("run a pilot, then delete the old records", ("irreversible", "delete")),
        ("nothing is deleted, and not permanently", ("unknown", "")),
        ("defer it to May", ("reversible", "defer")),
        ("das ist endgültig", ("irreversible", "endgültig")),
        ("", ("unknown", "")),
    ],
)
def test_reversibility_is_told_by_words(text: str, expected: tuple[str, str]) -> None:
    assert find_reversibility(text, load_option_lexicons()) == expected


def test_a_claim_elsewhere_in_the_topic_tells_the_one_step() -> None:
    step = read("We agreed to merge the two choirs. It cannot be undone. What do we miss?").options[
        0
    ]
    assert (step.reversibility, step.reversibility_words) == ("irreversible", "cannot be undone")


TIMING = ("build the search page now", "defer the search page until after the login rework")
DATABASES = ("Postgres", "MySQL", "a hosted service")
YES_NO = ("close the depot", KEEP)


@pytest.mark.parametrize(
    ("mention", "options", "expected"),
    [
        ("the second one", TIMING, 1),
        ("option 2", TIMING, 1),
        ("the first", TIMING, 0),
        ("b", TIMING, 1),
        ("I'd go with the latter", TIMING, 1),
        ("defer", TIMING, 1),
        ("waiting", TIMING, 1),
        ("after the login rework", TIMING, 1),
        ("build it", TIMING, 0),
        ("the search page", TIMING, None),
        ("whatever", TIMING, None),
        ("not defer", TIMING, 0),
        ("postgres", DATABASES, 0),
        ("the hosted one", DATABASES, 2),
        ("the last one", DATABASES, 2),
        ("not postgres", DATABASES, None),
        ("the fourth", DATABASES, None),
        ("do it", YES_NO, 0),
        ("yes", YES_NO, 0),
        ("not", YES_NO, 1),
        ("keep it as is", YES_NO, 1),
        ("do not close it", YES_NO, 1),
        ("前者", ("自建机房", "继续用云服务"), 0),
        ("云服务", ("自建机房", "继续用云服务"), 1),
        ("", TIMING, None),
        ("yes", (), None),
    ],
)
def test_a_later_phrase_names_one_option_or_none(
    mention: str, options: tuple[str, ...], expected: int | None
) -> None:
    assert same_option(mention, options, load_option_lexicons()) == expected


@pytest.mark.parametrize(
    ("topic", "options"),
    [
        (
            "Should we permanently delete the archive or keep it?",
            ["permanently delete the archive", "keep the archive"],
        ),
        (
            "Should we migrate to AWS or permanently shut down the site?",
            ["migrate to AWS", "permanently shut down the site"],
        ),
        (
            "Should we slowly migrate the billing system or permanently retire it?",
            ["slowly migrate the billing system", "permanently retire the billing system"],
        ),
        (
            "We could hire a contractor, train Dana, or drop the feature. Which one?",
            ["hire a contractor", "train Dana", "drop the feature"],
        ),
        ("Should we A or B?", ["A", "B"]),
    ],
)
def test_an_adverb_or_a_name_hides_no_verb(topic: str, options: list[str]) -> None:
    assert [option.text for option in read(topic).options] == options


@pytest.mark.parametrize(
    ("text", "options", "expected"),
    [
        ("If we defer, the rework slips; building now is cheaper.", TIMING, (0, 1)),
        ("I like Postgres but hosted is easier.", DATABASES, (0, 2)),
        ("option 2 or option 3", DATABASES, (1, 2)),
        ("the search page matters", TIMING, ()),
    ],
)
def test_a_longer_text_mentions_options_by_their_own_words(
    text: str, options: tuple[str, ...], expected: tuple[int, ...]
) -> None:
    assert mentions(text, options, load_option_lexicons()) == expected


@pytest.mark.parametrize(
    "topic",
    [
        "\x00\ud800 Should we build \x00 it or buy it?😀",
        "a, " * 60_000,
        "Should we ship it or wait? " * 7_000,
        "x or " * 40_000,
        "the plan is to " * 13_000,
        "1) a 2) b " * 20_000,
        "x" * 200_000,
        "หรือ" * 50_000,
        "가지, " * 40_000,
        "between " * 25_000,
        "Should we do A or B?" + "\n" * 60_000 + "x",
        "**a *b `c _d " * 15_000,
        "*" * 100_000 + "x" + "`" * 100_000,
        "- \n" * 60_000,
    ],
)
def test_any_text_gives_a_reading_within_bounds(topic: str) -> None:
    reading = read(topic)
    found = [option.text for option in reading.options]
    assert len(found) <= 6
    assert all(0 < len(text) <= 160 for text in found)
    assert len({text.casefold() for text in found}) == len(found)
    assert reading.lean is None or reading.lean < len(found)
    assert reading.decision_topic is None or len(reading.decision_topic) <= 200


@pytest.mark.parametrize(
    ("topic", "options"),
    [
        ("Should we build **A** or buy **B**?", ("build A", "buy B")),
        ("**Should we rent or buy?**", ("rent", "buy")),
        ("## Should we use `redis` or _Postgres_?", ("use redis", "use Postgres")),
        ("Do we take snake_case or *camelCase*?", ("take snake_case", "take camelCase")),
        ("Should we call `__init__` or **__new__**?", ("call __init__", "call __new__")),
        ("Should we ship 2 * 3 boxes or 4 * 5?", ("ship 2 * 3 boxes", "ship 4 * 5")),
    ],
)
def test_markdown_marks_are_no_part_of_an_option(topic: str, options: tuple[str, ...]) -> None:
    assert texts(topic) == options


def test_every_shipped_lexicon_loads_with_its_conjunctions() -> None:
    lexicons = load_option_lexicons()
    assert lexicons[0].language == "en"
    assert len({lexicon.language for lexicon in lexicons}) == 14
    for lexicon in lexicons:
        assert lexicon.conjunctions
        assert lexicon.keep_as_is
        assert lexicon.lean_before
        assert len(lexicon.ordinals) >= 4


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Should we go?", "en"),
        ("Sollen wir gehen oder nicht?", "de"),
        ("これを採用するか迷っています", "ja"),
        ("要不要做", "zh"),
        ("", "en"),
        ("12345", "en"),
    ],
)
def test_the_lexicon_follows_the_language(text: str, language: str) -> None:
    assert choose_lexicon(text, load_option_lexicons()).language == language


@pytest.mark.parametrize(
    ("data", "complaint"),
    [
        ({"language": "en", "script": "latin", "colour": "red"}, "unknown keys colour"),
        ({"language": "de", "script": "latin"}, "language 'de'"),
        ({"language": "en"}, "script is missing"),
        ({"language": "en", "script": "latin", "conjunctions": 3}, "expected a list"),
    ],
)
def test_a_faulty_lexicon_is_refused_with_its_fault(
    data: dict[str, object], complaint: str
) -> None:
    with pytest.raises(ValueError, match=complaint):
        OptionLexicon.from_mapping("en", data)
