"""A question as phrases: names of the schema, values, numbers, periods, and words that shape it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date

from adapters.models.offline.reading.attributes import Attribute, attribute_of
from adapters.models.offline.reading.keywords import (
    LONGEST_PHRASE,
    Keyword,
    Role,
    is_glue_verb,
    keywords_at,
)
from adapters.models.offline.reading.numbers import cardinal
from adapters.models.offline.reading.periods import Period, is_year, period_at
from adapters.models.offline.reading.tokens import Token, TokenKind, ends_sentence
from adapters.models.offline.reading.word_lists import words_in
from adapters.models.offline.world.defined import DefinedWords
from adapters.models.offline.world.lexicon import LONGEST_NAME, Lexicon, Meaning
from adapters.models.offline.world.values import LONGEST_VALUE, Found, ValueIndex


@dataclass(frozen=True, slots=True, eq=False)
class Chunk:
    """Tokens from `start` to before `end`, and everything that they can be."""

    start: int
    end: int
    text: str
    tokens: tuple[Token, ...]
    keywords: tuple[Keyword, ...] = ()
    meanings: tuple[Meaning, ...] = ()
    found: tuple[Found, ...] = ()
    period: Period | None = None
    number: float | None = None
    attribute: Attribute | None = None
    worth: float = 0.0
    proper: bool = False

    @property
    def quoted(self) -> bool:
        """Say whether it is a value by its looks: in quotes, or a name that nothing explains."""
        return self.proper or self.tokens[0].kind is TokenKind.QUOTED

    @property
    def ends(self) -> bool:
        return ends_sentence(self.tokens[0])

    @property
    def known(self) -> bool:
        return self.worth > 0

    def role(self, role: Role) -> Keyword | None:
        return next((keyword for keyword in self.keywords if keyword.role is role), None)

    @property
    def is_glue(self) -> bool:
        """Say whether it is a verb that carries no meaning of its own."""
        token = self.tokens[0]
        return len(self.tokens) == 1 and is_glue_verb(token.lower)


@dataclass(frozen=True, slots=True)
class Chunker:
    """What the phrases of a question are read with."""

    lexicon: Lexicon
    values: ValueIndex
    today: date
    defined: DefinedWords = field(default_factory=DefinedWords)

    def chunks(self, tokens: Sequence[Token]) -> tuple[Chunk, ...]:
        """Part the tokens into the phrases that explain most of them in the fewest pieces."""
        best: list[tuple[float, tuple[Chunk, ...]]] = [(0.0, ())]
        starting: dict[int, list[Chunk]] = {}
        for at in range(len(tokens)):
            starting[at] = list(self._starting(tokens, at))
        for end in range(1, len(tokens) + 1):
            ways = (
                (best[chunk.start][0] + chunk.worth, (*best[chunk.start][1], chunk))
                for start in range(max(0, end - _LONGEST), end)
                for chunk in starting[start]
                if chunk.end == end
            )
            best.append(max(ways, key=lambda way: way[0]))
        return tuple(_with_proper_names(best[-1][1]))

    def _starting(self, tokens: Sequence[Token], at: int) -> Iterator[Chunk]:
        words = [token.lower for token in tokens[at : at + LONGEST_PHRASE]]
        period = period_at(tokens, at, self.today)
        for length in range(1, min(_LONGEST, len(tokens) - at) + 1):
            span = tuple(tokens[at : at + length])
            if length > 1 and any(ends_sentence(token) for token in span[:-1]):
                return
            dated = period[0] if period and period[1] == length else None
            meant = self.defined.at(tokens, at, length)
            if meant:
                yield _defined(at, span, meant)
                continue
            keywords = _in_place(_shaping(words, length, tokens, at, self.today), tokens, at)
            if dated is not None:
                # "In May" may be passed over as little as "in March".
                keywords = tuple(each for each in keywords if each.role is not Role.FILL)
            chunk = self._chunk(
                at,
                span,
                keywords=keywords,
                named=length == 1 or not _asks(tokens, at) or self._is_called(span),
                figure=_is_reckoned(tokens, at) or _is_asked_for(tokens, at, length),
                period=dated,
            )
            if chunk.worth > 0 or length == 1:
                yield chunk

    def _is_called(self, span: Sequence[Token]) -> bool:
        """Say whether a column is called just so: a `list price` is no price to be listed."""
        best = self.lexicon.meanings(span)[:1]
        words = tuple(token.lemma for token in span)
        return any(m.column is not None and m.column.words == words for m in best)

    def _chunk(
        self,
        at: int,
        span: tuple[Token, ...],
        *,
        keywords: tuple[Keyword, ...],
        named: bool,
        figure: bool,
        period: Period | None,
    ) -> Chunk:
        """Read a phrase; `figure` says that the word before reckons with what follows."""
        length = len(span)
        meanings = self.lexicon.meanings(span) if named and length <= LONGEST_NAME else ()
        if length > 1 and _reckons(span[0]):
            meanings = tuple(m for m in meanings if _has_words(m, span))
        if length == 1 and span[0].lower in _LIGHT and meanings and meanings[0].score < 0.95:
            meanings = ()
        if length == 1 and (_happened(span[0]) or is_glue_verb(span[0].lower)):
            meanings = tuple(m for m in meanings if _is_told_by(m, span[0]))
        found = self.values.find(span) if length <= LONGEST_VALUE else ()
        if figure and any(m.column is not None and m.column.is_measure for m in meanings):
            found = ()
        number = _number(span)
        attribute = attribute_of(span[0].lower) if length == 1 else None
        return Chunk(
            start=at,
            end=at + length,
            text=" ".join(token.text for token in span),
            tokens=span,
            keywords=keywords,
            meanings=meanings,
            found=found,
            period=period,
            number=number,
            attribute=attribute,
            worth=max(
                _worth_of_keywords(keywords, length),
                _worth_of_meanings(meanings, length),
                _worth_of_values(found, span),
                length - 0.3 if period or number is not None else 0.0,
                0.65 if attribute else 0.0,
                0.5 if span[0].kind is TokenKind.QUOTED and length == 1 else 0.0,
            ),
        )


def _defined(at: int, span: tuple[Token, ...], meanings: tuple[Meaning, ...]) -> Chunk:
    """Return a phrase that was defined: it means that, and shapes nothing."""
    text = " ".join(token.text for token in span)
    worth = _worth_of_meanings(meanings, len(span))
    return Chunk(at, at + len(span), text, span, meanings=meanings, worth=worth)


# Verbs that go with anything: the name of a table has to be theirs alone to be meant.
_LIGHT = words_in("light_verbs")
_PARTICIPLES = words_in("participles")


def _happened(token: Token) -> bool:
    return token.lower.endswith("ed") or token.lower in _PARTICIPLES


def _is_told_by(meaning: Meaning, token: Token) -> bool:
    """Say whether a verb may name a table: by all of its name, or by a word of it as written."""
    whole = meaning.score > 0.8 or {token.lower, token.lemma} & set(meaning.table.words) != set()
    return meaning.column is not None or whole


def _with_proper_names(chunks: Sequence[Chunk]) -> Iterator[Chunk]:
    """Join capitalized words that nothing explains: they are the name of somebody or something."""
    run: list[Chunk] = []
    for chunk in chunks:
        if _is_proper(chunk):
            run.append(chunk)
            continue
        yield from _proper(run)
        run = []
        yield chunk
    yield from _proper(run)


def _is_proper(chunk: Chunk) -> bool:
    token = chunk.tokens[0]
    return len(chunk.tokens) == 1 and token.capital and not chunk.known and not chunk.is_glue


def _proper(run: Sequence[Chunk]) -> Iterator[Chunk]:
    # A question begins with a capital letter whatever its first word is.
    if not run or (len(run) == 1 and run[0].start == 0):
        yield from run
        return
    tokens = tuple(token for chunk in run for token in chunk.tokens)
    text = " ".join(token.text for token in tokens)
    yield Chunk(run[0].start, run[-1].end, text, tokens, proper=True)


_LONGEST = max(LONGEST_NAME, LONGEST_VALUE, LONGEST_PHRASE)
_PIECE = 0.4  # what each further piece costs, so that long phrases win


def _worth_of_keywords(keywords: Sequence[Keyword], length: int) -> float:
    if not keywords:
        return 0.0
    if all(keyword.role is Role.FILL for keyword in keywords):
        return length * (0.75 if length == 1 else 0.9) - _PIECE
    return length - _PIECE


def _worth_of_meanings(meanings: Sequence[Meaning], length: int) -> float:
    return max(length * meanings[0].score - _PIECE, 0.05) if meanings else 0.0


def _worth_of_values(found: Sequence[Found], span: Sequence[Token]) -> float:
    if not found:
        return 0.0
    if span[0].kind is TokenKind.QUOTED:
        return 1.0
    long = len(span) > 1
    shown = any(token.capital for token in span) or not span[0].text.isalpha()
    sure = found[0].sure if long or shown else min(found[0].sure, 0.85)
    return max(len(span) * sure - _PIECE + (0.1 if shown else 0.0), 0.05)


def _shaping(
    words: Sequence[str], length: int, tokens: Sequence[Token], at: int, today: date
) -> tuple[Keyword, ...]:
    """Return what a phrase does; `ordered in` before a period is what somebody did then."""
    found = keywords_at(words, 0, length)
    after = at + length
    if not found or words[length - 1] != "in" or after >= len(tokens):
        return found
    dated = is_year(tokens[after]) or period_at(tokens, after, today) is not None
    dated = dated or tokens[after].lower == "both"
    return tuple(each for each in found if not (dated and each.role is Role.SORT))


def _asks(tokens: Sequence[Token], at: int) -> bool:
    """Say whether a clause begins here with a word such as `show`, which is no part of a name."""
    return any(
        k.role is Role.ASK for k in _in_place(keywords_at((tokens[at].lower,), 0, 1), tokens, at)
    )


def _is_reckoned(tokens: Sequence[Token], at: int) -> bool:
    """Say whether `average` or the like goes before: then a figure follows, not a value of it."""
    while at and tokens[at - 1].lower in _BETWEEN:
        at -= 1
    return at > 0 and _reckons(tokens[at - 1])


def _is_asked_for(tokens: Sequence[Token], at: int, length: int) -> bool:
    """Say whether a phrase opens the question and something has it: `price of each product`."""
    while at and tokens[at - 1].lower in _BETWEEN:
        at, length = at - 1, length + 1
    opens = at == 0 or _asks(tokens, at - 1)
    follows = tokens[at + length].lower if at + length < len(tokens) else ""
    return opens and follows in {"of", "by", "per"}


def _reckons(token: Token) -> bool:
    return any(each.role in _RECKONING for each in keywords_at((token.lower,), 0, 1))


def _has_words(meaning: Meaning, span: Sequence[Token]) -> bool:
    """Say whether all the words are written in a name: `total amount` is no `order_total`."""
    own = {*meaning.table.words, *(meaning.column.words if meaning.column is not None else ())}
    return all(token.lower in own or token.lemma in own for token in span)


_BETWEEN = frozenset({"of", "the", "all", "me", "us"})
_RECKONING = frozenset({Role.AGGREGATE, Role.EXTREME})


def _number(span: Sequence[Token]) -> float | None:
    if len(span) != 1:
        return None
    return span[0].value if span[0].value is not None else cardinal(span[0].lower)


def _in_place(
    keywords: tuple[Keyword, ...], tokens: Sequence[Token], at: int
) -> tuple[Keyword, ...]:
    """Leave out keywords that count only where a clause begins."""
    begins = at == 0 or tokens[at - 1].lower in _BEFORE_CLAUSE
    return tuple(keyword for keyword in keywords if begins or not keyword.initial)


_BEFORE_CLAUSE = frozenset(
    {",", ".", "?", "!", ";", ":", "and", "please", "to", "you", "then", "also", "i", "hi", "hello"}
)
