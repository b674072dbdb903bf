"""Days as numbers from the first day of the data, and back."""

from datetime import date, datetime, time, timedelta

import numpy as np
from numpy.typing import NDArray

from bot.demo.world import DAYS, FIRST_DAY

Ints = NDArray[np.int64]


def day_number(day: date) -> int:
    """Return how many days `day` lies after the first one; negative before it."""
    return (day - FIRST_DAY).days


def day_text(number: int) -> str:
    return (FIRST_DAY + timedelta(days=number)).isoformat()


def day_text_european(number: int) -> str:
    """Return the day as DD/MM/YYYY, which does not sort."""
    return (FIRST_DAY + timedelta(days=number)).strftime("%d/%m/%Y")


def moment_text(number: int, second: int) -> str:
    moment = datetime.combine(FIRST_DAY, time()) + timedelta(days=number, seconds=second)
    return moment.isoformat(sep=" ")


def weekdays_and_months() -> tuple[Ints, Ints]:
    """Return for every day of the data its weekday (Monday is 0) and its month (January is 0)."""
    days = [FIRST_DAY + timedelta(days=number) for number in range(DAYS)]
    return (
        np.array([day.weekday() for day in days]),
        np.array([day.month - 1 for day in days]),
    )


def quarters() -> tuple[tuple[int, int], ...]:
    """Return the first and the last day of each quarter of the data, oldest first."""
    starts = [date(FIRST_DAY.year + year, month, 1) for year in range(3) for month in (1, 4, 7, 10)]
    firsts = [day_number(start) for start in starts]
    return tuple(zip(firsts, [*(first - 1 for first in firsts[1:]), DAYS - 1], strict=True))
