"""Says whether a statement may run at all: one query that only reads what is known.

It fails closed: a class of node, a function, a relation or a clause that it does not know is
refused. What may run is never the text that came in but what is rendered from the checked tree,
with its row cap, after that text was judged once more. Only this module makes a GuardedQuery.

The order: characters of the text (`text_checks`), tokens (`token_checks`), one statement, every
node (`rules`), relations with the scopes of WITH (`scopes`, `relations`), sizes (`recursion`,
`cross_joins`), the masks (`masking`), the row cap (`row_cap`), rendering, and once more on what
was rendered: its tokens always, and its whole tree wherever it has words that the judged text did
not have.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field

from sqlglot.errors import SqlglotError

from core.domain.catalog import Catalog
from core.domain.query import GUARD_SEAL, Dialect, GuardedQuery, Query
from core.sql.dialects.lists import Functions, functions_of
from core.sql.inspection import Inspection, inspect
from core.sql.masking import veil
from core.sql.reading import Reading, read, render
from core.sql.relations import Relations
from core.sql.row_cap import capped
from core.sql.text_checks import check_text
from core.sql.token_checks import check_calls, check_tokens, says_more
from core.sql.verdict import Refused, Verdict

DEFAULT_ROWS = 10_000
_KEPT_VERDICTS = 256


@dataclass(frozen=True, slots=True, kw_only=True)
class Guard:
    """Judges statements against one connection's catalog.

    Without a catalog (`Guard.without_catalog`) it judges everything but whether a relation exists.
    `extra_functions` are functions of the connection that an administrator vouches for.
    """

    catalog: Catalog
    knows_tables: bool = True
    extra_functions: frozenset[str] = frozenset()
    _relations: Relations = field(init=False, repr=False, compare=False)
    _functions: Functions = field(init=False, repr=False, compare=False)
    _verdicts: OrderedDict[tuple[str, int], Verdict] = field(
        init=False, repr=False, compare=False, default_factory=OrderedDict[tuple[str, int], Verdict]
    )

    def __post_init__(self) -> None:
        catalog = self.catalog if self.knows_tables else None
        object.__setattr__(self, "_relations", Relations(self.dialect, catalog))
        own = functions_of(self.dialect)
        extra = frozenset(each.lower() for each in self.extra_functions)
        object.__setattr__(self, "_functions", Functions(own.names | extra, own.tables))

    @classmethod
    def without_catalog(cls, dialect: Dialect) -> Guard:
        """Return a guard for a dialect alone."""
        return cls(catalog=Catalog(dialect=dialect), knows_tables=False)

    @property
    def dialect(self) -> Dialect:
        return self.catalog.dialect

    def check(self, query: Query | str, *, max_rows: int) -> GuardedQuery:
        """Let one query through, capped at one row more than `max_rows`.

        Raises:
            NotPossible: it is refused; the advice says what, why and what to do instead.
        """
        verdict = self.judge(query, max_rows=max_rows)
        if verdict.query is None:
            raise Refused(verdict.rule, verdict.reason)
        return verdict.query

    def judge(self, query: Query | str, *, max_rows: int = DEFAULT_ROWS) -> Verdict:
        """Say whether one query may run, and as what. Never raises."""
        text = query if isinstance(query, str) else self._written(query)
        key = (text, max_rows)
        known = self._verdicts.get(key)
        if known is None:
            known = self._verdicts[key] = self._judged(text, max_rows)
            if len(self._verdicts) > _KEPT_VERDICTS:
                self._verdicts.popitem(last=False)
        return known

    def _written(self, query: Query) -> str:
        try:
            return query.sql(self.dialect)
        except (SqlglotError, ValueError, RecursionError):
            return ""

    def _judged(self, text: str, max_rows: int) -> Verdict:
        try:
            return self._allowed(text, max_rows)
        except Refused as refusal:
            return Verdict(rule=refusal.rule, reason=refusal.advice, person=_for_person(refusal))

    def _allowed(self, text: str, max_rows: int) -> Verdict:
        check_text(text, self.dialect)
        reading = read(text, self.dialect)
        check_tokens(reading.tokens, self.dialect)
        tree = reading.tree()
        found = inspect(tree, self._relations, self._functions)
        if self.catalog.narrowed:
            veil(tree, self._relations)
        sql = render(capped(tree, rows=max_rows, dialect=self.dialect), self.dialect)
        self._check_again(read(sql, self.dialect), reading, found, max_rows)
        return Verdict(
            query=GuardedQuery(
                sql=sql, dialect=self.dialect, relations=found.relations, seal=GUARD_SEAL
            ),
            relations=found.relations,
            functions=found.functions,
            reads=found.reads,
            makes_rows=found.makes_rows,
        )

    def _check_again(
        self, rendered: Reading, judged: Reading, found: Inspection, max_rows: int
    ) -> None:
        """Judge the very words that will run: their calls always, their tree where they are new."""
        names = self._functions.names
        check_calls(rendered.tokens, names, found.named)
        check_tokens(rendered.tokens, self.dialect)
        if says_more(rendered.tokens, judged.tokens, names, most_rows=max_rows + 1):
            again = inspect(rendered.tree(), self._relations, self._functions)
            if not set(again.relations) <= set(found.relations):
                raise Refused(
                    "rendering",
                    "Written out, the query reads more than it did before. Use a simpler form.",
                )


def _for_person(refusal: Refused) -> str:
    """Say it to a reader who knows no SQL."""
    kind = refusal.rule.partition(".")[0]
    return _PERSONS_WORDS.get(kind, "This query uses something that is not allowed here.")


_PERSONS_WORDS = {
    "cast": "The query converts values in a way that could run code, so it was not run.",
    "function": "The query calls a function that is not known to be harmless, so it was not run.",
    "into": "The query would write its result somewhere; only reading is allowed.",
    "masked": "The query uses a column whose values are not shown here.",
    "lock": "The query would lock rows for other people; only reading is allowed.",
    "not-a-query": "This would change something; only reading is allowed.",
    "one-statement": "This holds more than one command; one question runs at a time.",
    "relation": "The query reads something that is not among the tables of this connection.",
    "size": "The query would take more than the database should give to one question.",
    "syntax": "The query could not be read, so it was not run.",
    "table-function": "The query could read outside of the database, so it was not run.",
    "text": "The query holds characters that are not safe to run.",
}
