from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
MAY_TOUCH_THE_SEAL = {"core/domain/query.py", "core/sql/guard.py"}


def test_only_the_guard_touches_the_seal():
    found = {
        str(path.relative_to(ROOT))
        for package in ("bot", "core", "adapters")
        for path in (ROOT / package).rglob("*.py")
        if "GUARD_SEAL" in path.read_text(encoding="utf-8")
    }

    assert found == MAY_TOUCH_THE_SEAL


def test_only_the_guard_makes_a_guarded_query():
    makers = {
        str(path.relative_to(ROOT))
        for package in ("bot", "core", "adapters")
        for path in (ROOT / package).rglob("*.py")
        if "GuardedQuery(" in path.read_text(encoding="utf-8").replace("-> GuardedQuery", "")
    }

    assert makers == {"core/sql/guard.py"}
