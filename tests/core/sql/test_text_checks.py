import pytest

from core.domain.query import Dialect
from core.sql.text_checks import MAX_CHARACTERS, check_text
from core.sql.verdict import Refused


def rule(text: str, dialect: Dialect = Dialect.POSTGRES) -> str:
    try:
        check_text(text, dialect)
    except Refused as refusal:
        return refusal.rule
    return ""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("SELECT 1\x00", "text.control-character"),
        ("SELECT 1\x0b", "text.control-character"),
        ("SELECT 1;DELETE\x7fFROM t", "text.control-character"),
        ("SELECT 1 -- a\rDELETE FROM t", "text.control-character"),
        ("SELECT 1\r\nFROM t\t", ""),
        ("SELECT\u00a01", "text.odd-character"),
        ("SELECT\u200b1", "text.odd-character"),
        ("SELECT \u201cx\u201d", "text.odd-character"),
        ("SELECT 1\uff1b DELETE FROM t", "text.odd-character"),
        ("\ufeffSELECT 1", "text.odd-character"),
        ("SELECT '\ud800'", "text.half-a-character"),
        ("SELECT 'a\u200bb', \"c\u00a0d\" FROM größe, 名前, \u0928\u093e\u092e", ""),
        ('SELECT U&"\\0061"', "text.unicode-identifier"),
        ("SELECT U&'\\0061'", ""),
    ],
)
def test_characters_that_nobody_types_are_refused(text: str, expected: str):
    assert rule(text) == expected


def test_a_text_has_a_largest_length():
    assert rule("SELECT " + "1" * MAX_CHARACTERS) == "text.length"
    assert rule("SELECT '" + "x" * (MAX_CHARACTERS - 100) + "'") == ""


@pytest.mark.parametrize(
    ("dialect", "text", "expected"),
    [
        (Dialect.MYSQL, "SELECT 1 /*! , SLEEP(5) */", "text.executable-comment"),
        (Dialect.POSTGRES, "SELECT 1 /*!50000 ; */", "text.executable-comment"),
        (Dialect.MYSQL, "SELECT /*+ NO_INDEX(t) */ 1", "text.hint"),
        (Dialect.SQLITE, "/* /* */ SELECT 1 -- */ DELETE FROM t", "text.nested-comment"),
        (Dialect.MYSQL, "SELECT 5--1", "text.two-readings"),
        (Dialect.MYSQL, "SELECT 5 -- 1", ""),
        (Dialect.POSTGRES, "SELECT 1--SLEEP(20)", "text.two-readings"),
        (Dialect.POSTGRES, "SELECT 1 --total revenue", ""),
        (Dialect.MYSQL, "SELECT 1 # note", ""),
        (Dialect.MYSQL, "SELECT 1 # f(x)", "text.two-readings"),
        (Dialect.MYSQL, "SELECT 1 # 2; DELETE FROM t", "text.two-readings"),
        (Dialect.MYSQL, "SELECT '\\'; DELETE FROM t; --'", "text.two-readings"),
        (Dialect.MYSQL, "SELECT 'it\\'s'", ""),
        (Dialect.MYSQL, "SELECT $a$'$a$; DROP TABLE t; --'", "text.two-readings"),
        (Dialect.POSTGRES, "SELECT $$it's; \"odd\"$$, E'\\'', 'a;b', \"c;d\"", ""),
        (Dialect.POSTGRES, "SELECT E'\\'; DROP TABLE t; --'", "text.two-readings"),
        (Dialect.SQLITE, "SELECT 'a;b' -- first; second\nFROM t", ""),
        (Dialect.POSTGRES, "SELECT '/*! not a comment */', '/*+ x */'", ""),
        (Dialect.BIGQUERY, "SELECT r'\\d', 'a\\'b', \"c;d\" # note", ""),
    ],
)
def test_text_with_two_readings_is_refused(dialect: Dialect, text: str, expected: str):
    assert rule(text, dialect) == expected


def test_many_dollar_tags_are_refused_before_they_cost_time():
    assert rule("SELECT " + "".join(f"$a{i}$" for i in range(5_000))) == "text.dollar-quotes"
