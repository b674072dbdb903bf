from typing import Any

import pytest

from core import tools
from core.domain.ids import TaskId
from core.planner.planner import PlanInvalid, Planner
from core.toolkit.catalogue import discover

PLANNER = Planner.of(discover(tools))


def written(id_: str, **more: Any) -> dict[str, Any]:
    return {"id": id_, "question": f"What is {id_}?", "families": ["analyze"], **more}


def test_reads_a_plan_with_its_needs():
    plan = PLANNER.read(
        {
            "tasks": [
                written("churned", title="Who left", tools=["run_query"]),
                written("tickets", families=["Time", "analyze"], needs=["churned", "churned"]),
            ]
        }
    )

    first, second = plan.tasks
    assert (first.title, first.tools, first.needs) == ("Who left", ("run_query",), ())
    assert (second.title, second.needs) == ("What is tickets?", ("churned",))
    assert second.families == ("time", "analyze")


def test_a_long_title_is_cut_to_a_line():
    plan = PLANNER.read({"tasks": [written("a", title="word\n" * 60)]})

    assert len(plan.tasks[0].title) <= 80
    assert "\n" not in plan.tasks[0].title


@pytest.mark.parametrize(
    ("tasks", "why"),
    [
        ([], "at least 1"),
        ("nonsense", "list"),
        ([{"id": "a"}], "question"),
        ([written("a", families=[])], "families"),
        ([written(f"t{n}") for n in range(9)], "at most 8"),
        ([written("a"), written("a")], "one name"),
        ([written("a", families=["cooking"])], "'cooking'"),
        ([written("a", tools=["drop_table"])], "'drop_table'"),
        ([written("a", needs=["b"])], "'b'"),
        ([written("a", needs=["b"]), written("b", needs=["a"])], "wait for each other"),
    ],
)
def test_says_why_a_plan_cannot_be_carried_out(tasks: object, why: str):
    with pytest.raises(PlanInvalid, match=why):
        PLANNER.read({"tasks": tasks})


def test_a_second_plan_may_need_what_is_done_and_bears_no_name_twice():
    done, failed = TaskId("done"), TaskId("failed")
    plan = PLANNER.read(
        {"tasks": [written("other", needs=["done"])]}, done=[done], taken=[done, failed]
    )

    assert plan.tasks[0].needs == ("done",)
    with pytest.raises(PlanInvalid, match="one name"):
        PLANNER.read({"tasks": [written("failed")]}, taken=[failed])
