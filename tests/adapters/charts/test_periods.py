from adapters.charts import periods
from core.domain.periods import Length, first_of


def test_fills_the_periods_between_the_first_and_the_last():
    known = [first_of(2024, 11), first_of(2025, 2)]

    filled = periods.every_period(known, Length.MONTH, at_most=120)

    assert [(each.year, each.month) for each in filled] == [
        (2024, 11), (2024, 12), (2025, 1), (2025, 2),
    ]  # fmt: skip


def test_leaves_periods_as_they_are_when_there_would_be_too_many():
    known = [first_of(1900), first_of(2025)]

    assert periods.every_period(known, Length.DAY, at_most=120) == known


def test_marks_get_fewer_and_stand_at_round_moments():
    choices = list(periods.marks(first_of(2024, 2), first_of(2026, 3), Length.MONTH))

    assert [len(choice.moments) for choice in choices] == [26, 13, 8, 4, 2, 1, 1]
    assert choices[2].moments[0] == first_of(2024, 4)
    assert choices[4].length is Length.YEAR


def test_a_date_for_ever_does_not_overflow():
    far = first_of(9999, 12, 31)

    choices = list(periods.marks(first_of(2025), far, Length.DAY))

    assert choices
    assert periods.every_period([first_of(2025), far], Length.DAY, at_most=5) == [
        first_of(2025),
        far,
    ]
