"""Who buys and what is sold: customers and products."""

from dataclasses import dataclass
from itertools import product as pairs

import numpy as np
from numpy.typing import NDArray

from bot.demo import world

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
_UNKNOWN = len(world.INDUSTRIES)


@dataclass(frozen=True, slots=True, kw_only=True)
class Customers:
    """One entry a customer; `region`, `industry` and `tier` are positions in the world's lists.

    `weight` says how often a customer orders; `industry` past the list's end is unknown.
    """

    names: tuple[str, ...]
    countries: tuple[str, ...]
    region: Ints
    industry: Ints
    tier: Ints
    acquisition: Ints
    signed_up: Ints
    weight: Floats

    def __len__(self) -> int:
        return len(self.names)


@dataclass(frozen=True, slots=True, kw_only=True)
class Products:
    """One entry a product; `category` is a position in the world's list."""

    names: tuple[str, ...]
    category: Ints
    unit_cost: Floats
    list_price: Floats
    launched: Ints
    active: NDArray[np.bool_]
    weight: Floats

    def __len__(self) -> int:
        return len(self.names)


def win_customers(rng: np.random.Generator) -> Customers:
    """Draw the customers; more than half of them were there before the data begins."""
    count = world.CUSTOMERS
    region = rng.choice(len(world.REGIONS), count, p=[each.share for each in world.REGIONS])
    industry = rng.integers(0, len(world.INDUSTRIES), count)
    tier = rng.choice(len(world.TIERS), count, p=world.TIER_SHARES)
    early = rng.random(count) < 0.55
    signed_up = np.where(
        early, rng.integers(-1_400, 0, count), rng.integers(0, world.DAYS - 30, count)
    )
    names = _company_names(industry, rng)
    return Customers(
        names=names,
        countries=tuple(_country(int(each), rng) for each in region),
        region=region,
        industry=np.where(rng.random(count) < 0.08, _UNKNOWN, industry),
        tier=tier,
        acquisition=rng.integers(0, len(world.ACQUISITION), count),
        signed_up=np.sort(signed_up),
        weight=rng.lognormal(0.0, 0.7, count) * np.array([0.7, 1.1, 1.8])[tier],
    )


def stock_products(rng: np.random.Generator) -> Products:
    """Draw prices and popularity; every tenth product came later, every fifteenth is gone."""
    names = tuple(name for each in world.CATEGORIES for name in each.products)
    sizes = [len(each.products) for each in world.CATEGORIES]
    category = np.repeat(np.arange(len(world.CATEGORIES)), sizes)
    lowest = np.array([each.lowest for each in world.CATEGORIES])[category]
    highest = np.array([each.highest for each in world.CATEGORIES])[category]
    shares = np.array([each.share for each in world.CATEGORIES])[category]
    price = np.round(lowest * (highest / lowest) ** rng.random(len(names)), 0) - 0.10
    number = np.arange(len(names))
    late = number % 10 == 7
    return Products(
        names=names,
        category=category,
        unit_cost=np.round(price * rng.uniform(0.45, 0.70, len(names)), 2),
        list_price=price,
        launched=np.where(late, rng.integers(60, 700, len(names)), -rng.integers(1, 900, 60)),
        active=number % 15 != 11,
        weight=shares * rng.lognormal(0.0, 0.5, len(names)),
    )


def industry_name(position: int) -> str | None:
    return None if position == _UNKNOWN else world.INDUSTRIES[position]


def _company_names(industry: Ints, rng: np.random.Generator) -> tuple[str, ...]:
    """Give every company a name of its own that says its trade."""
    stems = [head + tail for head, tail in pairs(world.NAME_HEADS, world.NAME_TAILS)]
    full = [
        (stem, variant)
        for variant in range(3)
        for stem in rng.permutation(np.array(stems)).tolist()
    ]
    chosen = full[: len(industry)]
    return tuple(
        f"{stem} {world.NAME_TRADES[world.INDUSTRIES[int(trade)]][variant]}"
        for (stem, variant), trade in zip(chosen, industry, strict=True)
    )


def _country(region: int, rng: np.random.Generator) -> str:
    countries = world.REGIONS[region].countries
    # The first country of a region is its home market.
    weights = np.array([2.0, *(1.0 for _ in countries[1:])])
    return countries[int(rng.choice(len(countries), p=weights / weights.sum()))]
