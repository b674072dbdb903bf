"""What a reader gets in the end, as text for a terminal or a pipe."""

import re
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from adapters.terminal.cells import clean, display_width, one_line
from adapters.terminal.table import render_table
from core.domain.answer import Answer, Shown
from core.domain.decisions import Approval, Clarification, Decision
from core.domain.query import CostEstimate
from core.domain.view import MessageView

_BOLD = re.compile(r"\*\*([^*]+)\*\*")
_QUOTED = re.compile(r"""('(?:[^']|'')*'|"(?:[^"]|"")*"|`[^`]*`)""")
_CLAUSE = re.compile(
    r"(?<!\bLEFT)(?<!\bRIGHT)(?<!\bFULL)(?<!\bINNER)(?<!\bCROSS)(?<!\bOUTER)"
    r"\s+(?=(?:FROM|WHERE|GROUP BY|HAVING|ORDER BY|LIMIT|UNION|INTERSECT|EXCEPT"
    r"|(?:(?:LEFT|RIGHT|FULL|INNER|CROSS) )?(?:OUTER )?JOIN)\b)"
)
_CODE = re.compile(r"`([^`\n]+)`")


@dataclass(frozen=True, slots=True, kw_only=True)
class Paper:
    """Where the text goes: how wide it is, and whether it shows bold and dim."""

    width: int = 100
    styled: bool = False

    def bold(self, text: str) -> str:
        return f"\x1b[1m{text}\x1b[0m" if self.styled and text else text

    def dim(self, text: str) -> str:
        return f"\x1b[2m{text}\x1b[0m" if self.styled and text else text


def render(view: MessageView, paper: Paper) -> str:
    """Return the end of a run: the answer, what has to be decided, or what went wrong."""
    if view.answer is not None:
        return render_answer(view.answer, paper)
    if view.decision is not None:
        return render_decision(view.decision, paper)
    return one_line(view.failure or view.status or view.text)


def render_answer(answer: Answer, paper: Paper) -> str:
    return "\n\n".join(part for part in _parts(answer, paper) if part)


def render_decision(decision: Decision, paper: Paper) -> str:
    match decision:
        case Clarification():
            options = [
                f"  {number}. {one_line(option)}"
                for number, option in enumerate(decision.options, start=1)
            ]
            return "\n".join([paper.bold(one_line(decision.question)), *options])
        case Approval():
            return "\n\n".join(
                [
                    paper.bold(one_line(decision.reason)),
                    _estimate(decision.estimate),
                    _sql(decision.sql, paper),
                ]
            )


def _parts(answer: Answer, paper: Paper) -> Iterator[str]:
    yield _text(answer.text, paper)
    yield "\n".join(f"! {one_line(each)}" for each in answer.warnings)
    for shown in _distinct(answer):
        if shown.table is not None and shown.table.columns:
            title = "" if shown is answer.result else one_line(shown.title)
            table = render_table(shown.table, width=paper.width)
            yield f"{paper.bold(title)}\n{table}" if title else table
    yield "\n".join(f"Assumed: {one_line(each)}" for each in answer.assumptions)
    # A no has no statement behind it, only what was looked at on the way to it.
    shown = () if answer.refused else answer.main_sql
    yield "\n\n".join(_sql(each.sql, paper) for each in shown)
    yield paper.dim(_look_ups(answer))
    yield paper.dim(_context(answer, paper.width))
    yield "\n".join(f"Ask next: {one_line(each)}" for each in answer.suggestions)


def _text(text: str, paper: Paper) -> str:
    plain = _CODE.sub(r"\1", clean(text).strip())
    lines = [textwrap.fill(line, paper.width) if line else "" for line in plain.splitlines()]
    return _BOLD.sub(lambda found: paper.bold(found[1]), "\n".join(lines))


def _sql(sql: str, paper: Paper) -> str:
    lines = _clauses(clean(sql).strip()).splitlines()
    return paper.dim("SQL") + "\n" + "\n".join(f"  {line}" for line in lines)


def _clauses(sql: str) -> str:
    """Begin a line with each clause of a statement that is one long line; quotes stay whole."""
    if "\n" in sql:
        return sql
    return "".join(
        part if at % 2 else _CLAUSE.sub("\n", part) for at, part in enumerate(_QUOTED.split(sql))
    )


def _look_ups(answer: Answer) -> str:
    number = 0 if answer.refused else len(answer.look_ups)
    return f"and {number} look-up{'' if number == 1 else 's'}" if number else ""


def _context(answer: Answer, width: int) -> str:
    table = answer.result.table if answer.result else None
    parts = [
        answer.connection,
        *answer.conditions.in_short(),
        f"{table.row_count:,} row{'' if table.row_count == 1 else 's'}" if table else "",
        answer.read,
        "figures checked" if answer.checked else "",
        f"{answer.seconds:.1f} s",
        answer.model,
        answer.usage.cost_in_words,
    ]
    return _in_lines([one_line(part) for part in parts if part], width)


def _in_lines(parts: Sequence[str], width: int) -> str:
    """Join parts with points between them; a line ends between two of them."""
    lines: list[str] = []
    for part in parts:
        longer = f"{lines[-1]} · {part}" if lines else part
        if lines and display_width(longer) <= width:
            lines[-1] = longer
        else:
            lines.append(part)
    return "\n".join(lines)


def _estimate(estimate: CostEstimate) -> str:
    figures = [
        f"{estimate.rows:,.0f} rows read" if estimate.rows is not None else "",
        f"{estimate.bytes / 1e9:,.2f} GB read" if estimate.bytes is not None else "",
        f"about {estimate.seconds:,.0f} s" if estimate.seconds is not None else "",
        f"${estimate.usd:,.2f}" if estimate.usd is not None else "",
    ]
    known = ", ".join(figure for figure in figures if figure)
    return f"Estimate: {known or 'the database does not say'}."


def _distinct(answer: Answer) -> tuple[Shown, ...]:
    """Put the result first, and nothing twice."""
    result = (answer.result,) if answer.result else ()
    return tuple({shown.id: shown for shown in (*result, *answer.shown)}.values())
