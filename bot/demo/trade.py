"""Orders and their lines: seasons, growth, and what was planted in them."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bot.demo import world
from bot.demo.accounts import Customers, Products
from bot.demo.dates import day_number, weekdays_and_months

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Orders:
    """One entry an order, oldest first; days count from the first day of the data."""

    customer: Ints
    day: Ints
    second: Ints
    channel: Ints
    cancelled: NDArray[np.bool_]
    returned: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.customer)


@dataclass(frozen=True, slots=True, kw_only=True)
class Lines:
    """One entry a line; `order` and `product` are positions."""

    order: Ints
    product: Ints
    quantity: Ints
    unit_price: Floats
    discount: Floats
    revenue: Floats


def place_orders(customers: Customers, rng: np.random.Generator) -> Orders:
    """Draw the orders of all days from the customers that had signed up by then."""
    day = np.repeat(np.arange(world.DAYS), rng.poisson(orders_a_day()))
    customer = _who_orders(customers, day, rng)
    lost = (
        (customers.region[customer] == _region(world.CHANGE_REGION))
        & (day >= day_number(world.CHANGE_DAY))
        & (rng.random(len(day)) < world.CHANGE_LOSS)
    )
    day, customer = day[~lost], customer[~lost]
    fate = rng.random(len(day))
    second = np.clip(rng.normal(13 * 3600, 3 * 3600, len(day)), 0, 86_399).astype(np.int64)
    order = np.lexsort((second, day))
    return Orders(
        customer=customer[order],
        day=day[order],
        second=second[order],
        channel=_channels(day[order], rng),
        cancelled=fate < 0.03,
        returned=(fate >= 0.03) & (fate < 0.05),
    )


def orders_a_day() -> Floats:
    """Return how many orders each day may expect, before anything is planted in one region."""
    weekdays, months = weekdays_and_months()
    years = np.arange(world.DAYS) / 365.25
    rate = (
        world.ORDERS_A_DAY
        * world.GROWTH_A_YEAR**years
        * np.array(world.MONTHS)[months]
        * np.array(world.WEEKDAYS)[weekdays]
    )
    rate[day_number(world.RUSH_DAY)] *= world.RUSH_FACTOR
    rate[day_number(world.OUTAGE_DAY)] = 0.0
    return rate


def fill_orders(
    orders: Orders, customers: Customers, products: Products, rng: np.random.Generator
) -> Lines:
    """Put products into every order, with the prices of its day."""
    order = np.repeat(np.arange(len(orders)), 1 + rng.poisson(1.5, len(orders)))
    day = orders.day[order]
    tier = customers.tier[orders.customer[order]]
    product = _what_is_bought(products, day, rng)
    quantity = rng.geometric(np.array([0.42, 0.28, 0.16])[tier])
    _plant_outlier(quantity, product, day, products, kept=~orders.cancelled[order])
    unit_price = prices_on(products, product, day)
    discount = _discounts(tier, quantity, rng)
    revenue = np.round(quantity * unit_price * (1 - discount), 2)
    revenue[orders.cancelled[order]] = 0.0
    return Lines(
        order=order,
        product=product,
        quantity=quantity,
        unit_price=unit_price,
        discount=discount,
        revenue=revenue,
    )


def prices_on(products: Products, product: Ints, day: Ints) -> Floats:
    """Return the unit price of each product on each day."""
    raised = (products.category[product] == _category(world.PRICE_CATEGORY)) & (
        day >= day_number(world.PRICE_DAY)
    )
    return np.round(products.list_price[product] * np.where(raised, world.PRICE_FACTOR, 1.0), 2)


def _who_orders(customers: Customers, day: Ints, rng: np.random.Generator) -> Ints:
    by_signup = np.argsort(customers.signed_up, kind="stable")
    weight = np.cumsum(customers.weight[by_signup])
    there = np.searchsorted(customers.signed_up[by_signup], day, side="right")
    drawn = np.searchsorted(weight, rng.random(len(day)) * weight[there - 1])
    return by_signup[drawn]


def _what_is_bought(products: Products, day: Ints, rng: np.random.Generator) -> Ints:
    by_launch = np.argsort(products.launched, kind="stable")
    weight = np.cumsum(products.weight[by_launch])
    there = np.searchsorted(products.launched[by_launch], day, side="right")
    drawn = np.searchsorted(weight, rng.random(len(day)) * weight[there - 1])
    return by_launch[drawn]


def _channels(day: Ints, rng: np.random.Generator) -> Ints:
    # The web takes over from the phone, from 45 % of the orders to 65 %.
    web = 0.45 + 0.20 * day / world.DAYS
    drawn = rng.random(len(day))
    rest = np.array([0, 1, 2, 3])[1 + rng.choice(3, len(day), p=[0.5, 0.3, 0.2])]
    return np.where(drawn < web, 0, rest)


def _discounts(tier: Ints, quantity: Ints, rng: np.random.Generator) -> Floats:
    steps = np.array([0.0, 0.05, 0.10, 0.15])
    often = rng.random(len(tier)) < np.array([0.10, 0.25, 0.45])[tier]
    level = rng.integers(1, 3, len(tier)) + (quantity >= 10)
    return np.where(often, steps[level], 0.0)


def _plant_outlier(
    quantity: Ints, product: Ints, day: Ints, products: Products, *, kept: NDArray[np.bool_]
) -> None:
    # Somebody typed 4,800 where 48 was meant.
    wanted = (
        kept
        & (day >= day_number(world.OUTLIER_DAY))
        & (product == products.names.index(world.OUTLIER_PRODUCT))
    )
    quantity[np.argmax(wanted)] = world.OUTLIER_QUANTITY


def _region(name: str) -> int:
    return [region.name for region in world.REGIONS].index(name)


def _category(name: str) -> int:
    return [category.name for category in world.CATEGORIES].index(name)
