"""What was planned: revenue by region and month."""

from collections.abc import Iterator
from datetime import date, timedelta

import numpy as np

from bot.demo import world
from bot.demo.accounts import Customers
from bot.demo.dates import day_number
from bot.demo.trade import Lines, Orders


def plan_targets(
    orders: Orders, lines: Lines, customers: Customers, rng: np.random.Generator
) -> Iterator[tuple[int, str, float]]:
    """Plan near what came, but blind to the change in one region: it misses its targets since."""
    month_of_day = _months()
    region = customers.region[orders.customer[lines.order]]
    month = month_of_day[orders.day[lines.order]]
    months = int(month_of_day[-1]) + 1
    revenue = np.zeros((len(world.REGIONS), months))
    np.add.at(revenue, (region, month), lines.revenue)
    changed = [each.name for each in world.REGIONS].index(world.CHANGE_REGION)
    revenue[changed, month_of_day[day_number(world.CHANGE_DAY)] :] /= 1 - world.CHANGE_LOSS
    planned = np.round(revenue * rng.normal(1.01, 0.05, revenue.shape), -2)
    for at in range(len(world.REGIONS)):
        for number in range(months):
            first = date(world.FIRST_DAY.year + number // 12, number % 12 + 1, 1)
            yield at + 1, first.isoformat(), float(planned[at, number])


def _months() -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """Return for every day the number of its month, from 0 on."""
    days = (world.FIRST_DAY + timedelta(days=number) for number in range(world.DAYS))
    return np.array([(day.year - world.FIRST_DAY.year) * 12 + day.month - 1 for day in days])
