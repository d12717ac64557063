"""The claim map: what the room turns on, in the seats' own words, with each seat's vote.

Silence is never agreement, and what nobody wrote is no claim (roundtable, 4).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from ...core.errors import UsageError
from ...core.plain import is_blank, one_line
from .quoting import quote_fault, sentences
from .records import MAX_CLAIMS, MIN_CLAIMS, CastVote, Claim, Quote, VoteWord
from .room import Room

Standing = Literal["settled", "split", "open"]


class ClaimRefusedError(UsageError):
    """`number` is the claim, from 1; 0 where it is about all of them. `words` stand in the line."""

    def __init__(self, number: int, reason: str, words: str = "") -> None:
        where = f"claim {number}: " if number else "claims: "
        super().__init__(f"{where}{reason}", "Nothing was changed")
        self.number, self.words = number, words


_TURN = "the number of the step whose turn it stands in: 2 for 2-cross"


class VoteReply(BaseModel):
    """`quote` and `turn` say where the seat takes this side; "" and 0 for a silent seat."""

    model_config = ConfigDict(frozen=True)

    seat: str
    vote: VoteWord
    quote: str = Field("", description="the seat's own words, word for word; empty where silent")
    turn: int = Field(0, description=f"{_TURN}; 0 where silent")


class ClaimReply(BaseModel):
    model_config = ConfigDict(frozen=True)

    claim: str
    quote: str = Field(description="the words that it comes from, word for word")
    seat: str
    turn: int = Field(description=_TURN)
    votes: tuple[VoteReply, ...] = Field(description="a seat that is not named is silent")


class ClaimsReply(BaseModel):
    """What whoever draws up the map gives; so is `claims.json`."""

    model_config = ConfigDict(frozen=True)

    claims: tuple[ClaimReply, ...] = Field(min_length=1)


EMPTY_MAP = ClaimsReply(claims=(ClaimReply(claim="", quote="", seat="", turn=0, votes=()),))
"""To be filled in where nothing can be read off."""


def claims_of(room: Room, reply: ClaimsReply) -> tuple[Claim, ...]:
    """The claims, with a vote for every seat: whoever is not named is silent."""
    return tuple(
        Claim(
            claim=one_line(one.claim),
            source=Quote(quote=one.quote, seat=one.seat, turn=one.turn),
            votes=(
                *(
                    CastVote(seat=v.seat, vote=v.vote, quote=v.quote, turn=v.turn)
                    for v in one.votes
                ),
                *_silent(set(room.names) - {v.seat for v in one.votes}),
            ),
        )
        for one in reply.claims
    )


def _silent(names: Iterable[str]) -> Iterator[CastVote]:
    return (CastVote(seat=name, vote="silent") for name in sorted(names))


def reply_of(claims: Sequence[Claim]) -> ClaimsReply:
    return ClaimsReply(
        claims=tuple(
            ClaimReply(
                claim=one.claim,
                quote=one.source.quote,
                seat=one.source.seat,
                turn=one.source.turn,
                votes=tuple(
                    VoteReply(seat=v.seat, vote=v.vote, quote=v.quote, turn=v.turn)
                    for v in one.votes
                ),
            )
            for one in claims
        )
    )


def check_claims(room: Room, claims: Sequence[Claim], *, draft: bool = False) -> None:
    """Raises `ClaimRefusedError` with the first rule that is broken. A draft by rules may be
    shorter: more was not said.
    """
    if not (1 if draft else MIN_CLAIMS) <= len(claims) <= MAX_CLAIMS:
        raise ClaimRefusedError(0, f"{len(claims)} given, a map has {MIN_CLAIMS} to {MAX_CLAIMS}")
    told: dict[str, int] = {}
    for number, claim in enumerate(claims, 1):
        if is_blank(claim.claim):
            raise ClaimRefusedError(number, "it says nothing")
        first = told.setdefault(one_line(claim.claim).casefold(), number)
        if first < number and not draft:
            raise ClaimRefusedError(number, f"it says what claim {first} says", claim.claim)
        source = claim.source
        if fault := quote_fault(room, source.quote, source.seat, source.turn):
            raise ClaimRefusedError(number, fault, source.quote)
        _check_votes(room, number, claim)


def _check_votes(room: Room, number: int, claim: Claim) -> None:
    voted = [vote.seat for vote in claim.votes]
    for name in room.names:
        if voted.count(name) != 1:
            told = "has no vote; a seat that never touched it is `silent`"
            again = "votes twice"
            raise ClaimRefusedError(number, f"{name} {again if name in voted else told}")
    for vote in claim.votes:
        if vote.seat not in room.names:
            raise ClaimRefusedError(
                number, f"nobody called '{one_line(vote.seat)}' sits in this room", vote.seat
            )
        if vote.vote == "silent":
            if vote.quote or vote.turn:
                raise ClaimRefusedError(
                    number, f"{vote.seat}'s `silent` has a quote; whoever is silent has none",
                    vote.quote,
                )  # fmt: skip
            continue
        if room.last_turn(vote.seat) is None:
            raise ClaimRefusedError(number, f"{vote.seat} has no turn, and so is `silent`")
        if is_blank(vote.quote):
            raise ClaimRefusedError(
                number, f"{vote.seat}'s `{vote.vote}` has no quote; without one it is `silent`"
            )
        if fault := quote_fault(room, vote.quote, vote.seat, vote.turn):
            raise ClaimRefusedError(number, f"{vote.seat}'s `{vote.vote}`: {fault}", vote.quote)


def standing(room: Room, claim: Claim) -> Standing:
    """`settled` where every seat agrees that was not excused, `split` where two take sides."""
    gone = dict(room.excused)
    votes = {vote.seat: vote.vote for vote in claim.votes}
    counted = [word for name, word in votes.items() if name not in gone or word != "silent"]
    if {"agree", "disagree"} <= set(counted):
        return "split"
    if len(counted) >= 2 and set(counted) == {"agree"}:
        return "settled"
    return "open"


def mechanical_claims(room: Room) -> tuple[Claim, ...]:
    """What can be read off: the seats' own sentences in turn, each with its author's vote alone.

    Nobody else's view of it was read, so all others are silent: it is a draft to be edited.
    """
    per_seat = {name: list(_own_sentences(room, name)) for name in room.names}
    by_sentence: dict[str, dict[str, Quote]] = {}
    for depth in range(max(map(len, per_seat.values()), default=0)):
        for name, found in per_seat.items():
            for turn, sentence in found[depth : depth + 1]:
                sayers = by_sentence.setdefault(one_line(sentence).casefold(), {})
                sayers.setdefault(name, Quote(quote=sentence, seat=name, turn=turn))
    return tuple(_said_by(room, sayers) for sayers in list(by_sentence.values())[:MAX_CLAIMS])


def _said_by(room: Room, sayers: Mapping[str, Quote]) -> Claim:
    """A sentence as a claim; whoever wrote the very same agrees."""
    source = next(iter(sayers.values()))
    votes = [
        CastVote(seat=name, vote="agree", quote=said.quote, turn=said.turn)
        for name, said in sayers.items()
    ]
    return Claim(
        claim=one_line(source.quote),
        source=source,
        votes=(*votes, *_silent(set(room.names) - sayers.keys())),
    )


def _own_sentences(room: Room, name: str) -> Iterator[tuple[int, str]]:
    """Step and sentence, the last turn's first; what it says again, once."""
    told = set()
    for said in sorted(room.said, key=lambda said: -said.number):
        for one in sentences(said.turn.text) if said.seat == name else ():
            if one not in told:
                told.add(one)
                yield said.number, one


def split_claims(room: Room) -> tuple[Claim, ...]:
    claims = room.claims.claims if room.claims else ()
    return tuple(claim for claim in claims if standing(room, claim) == "split")


def split_lines(room: Room, most: int = 5) -> tuple[str, ...]:
    """What split the room, quoted, for the chair: claims that split, else the positions held."""
    if split := split_claims(room):
        return tuple(_split_line(room, claim) for claim in split[:most])
    sides: dict[str, list[str]] = {}
    for name, said in room.holders.items():
        sides.setdefault(said.turn.position, []).append(name)
    if len(sides) < 2:
        return ()
    lines = []
    for option, names in sides.items():
        said = room.holders[names[0]]
        quoted = sentences(said.turn.text) or (said.turn.text.strip(),)
        lines.append(
            f'{one_line(option)} ({", ".join(map(room.label, names))}): "{one_line(quoted[0])}"'
        )
    return tuple(lines[:most])


def _split_line(room: Room, claim: Claim) -> str:
    sides = {
        word: [f'{room.label(v.seat)} "{one_line(v.quote)}"' for v in claim.votes if v.vote == word]
        for word in ("agree", "disagree")
    }
    told = "; ".join(f"{word}: {', '.join(found)}" for word, found in sides.items())
    return f"{one_line(claim.claim)} — {told}"
