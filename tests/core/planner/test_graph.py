from core.domain.ids import TaskId
from core.domain.plan import Task
from core.planner.graph import circle_in, ready


def task(name: str, *needs: str) -> Task:
    return Task(
        id=TaskId(name),
        title=name,
        question=name,
        families=("analyze",),
        needs=tuple(TaskId(each) for each in needs),
    )


def test_finds_a_circle_of_any_length():
    assert set(circle_in([task("a", "c"), task("b", "a"), task("c", "b"), task("d")])) == {
        *("a", "b", "c")
    }
    assert circle_in([task("a", "a")])
    assert not circle_in([task("a"), task("b", "a"), task("c", "a", "b")])


def test_what_has_its_needs_can_begin():
    waiting = [task("b", "a"), task("c"), task("d", "a", "b")]

    assert [each.id for each in ready(waiting, done={TaskId("a")})] == ["b", "c"]
