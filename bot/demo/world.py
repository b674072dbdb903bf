"""The made-up company of the demo: what it sells, where, and what happened to it."""

from dataclasses import dataclass
from datetime import date

SEED = 20_251_231
FIRST_DAY = date(2023, 1, 1)
LAST_DAY = date(2025, 12, 31)
DAYS = (LAST_DAY - FIRST_DAY).days + 1

CUSTOMERS = 1_800
ORDERS_A_DAY = 38.0
GROWTH_A_YEAR = 1.18
MONTHS = (0.92, 0.90, 1.00, 0.98, 1.00, 0.97, 0.86, 0.74, 1.02, 1.10, 1.24, 1.45)
WEEKDAYS = (1.15, 1.20, 1.18, 1.12, 1.00, 0.55, 0.45)

# What is planted; docs/demo_data.md tells the reader, tests/bot/demo prove it with pandas.
CHANGE_REGION = "Southern Europe"
CHANGE_DAY = date(2025, 3, 1)
CHANGE_LOSS = 0.40
OUTAGE_DAY = date(2024, 2, 13)
RUSH_DAY = date(2025, 11, 28)
RUSH_FACTOR = 3.5
PRICE_DAY = date(2025, 1, 1)
PRICE_CATEGORY = "Hardware"
PRICE_FACTOR = 1.08
OUTLIER_DAY = date(2024, 10, 17)
OUTLIER_PRODUCT = "Label Roll"
OUTLIER_QUANTITY = 4_800
DOUBLED_REFUNDS = 9
BAD_QUARTER = date(2025, 7, 1)


@dataclass(frozen=True, slots=True)
class Region:
    name: str
    opened_on: date
    share: float
    countries: tuple[str, ...]


REGIONS = (
    Region("North America", date(2016, 4, 1), 0.30, ("United States", "Canada")),
    Region("DACH", date(2014, 1, 15), 0.20, ("Germany", "Austria", "Switzerland")),
    Region("UK and Ireland", date(2015, 9, 1), 0.16, ("United Kingdom", "Ireland")),
    Region("Southern Europe", date(2018, 3, 1), 0.14, ("Spain", "Italy", "Portugal")),
    Region("Nordics", date(2017, 6, 1), 0.10, ("Sweden", "Denmark", "Norway", "Finland")),
    Region("Asia Pacific", date(2019, 10, 1), 0.10, ("Australia", "Japan", "Singapore")),
)


@dataclass(frozen=True, slots=True)
class Category:
    """List prices lie between `lowest` and `highest`; `share` says how often it is bought."""

    name: str
    lowest: float
    highest: float
    share: float
    products: tuple[str, ...]


def _names(listed: str) -> tuple[str, ...]:
    return tuple(listed.split(", "))


CATEGORIES = (
    Category(
        "Furniture",
        120.0,
        640.0,
        0.8,
        _names(
            "Oak Desk, Standing Desk, Task Chair, Meeting Table, Side Cabinet, Bookcase, "
            "Visitor Chair, Acoustic Panel, Locker Unit, Lounge Sofa"
        ),
    ),
    Category(
        "Hardware",
        45.0,
        420.0,
        1.2,
        _names(
            "Docking Station, Wide Monitor, Office Keyboard, Silent Mouse, Conference "
            "Speaker, Webcam Pro, Label Printer, Document Scanner, Network Switch, Power "
            "Strip"
        ),
    ),
    Category(
        "Lighting",
        25.0,
        180.0,
        0.8,
        _names(
            "Desk Lamp, Floor Lamp, Ceiling Panel, Pendant Light, Light Strip, Emergency "
            "Light, Daylight Bulb, Motion Sensor, Dimmer Switch, Wall Light"
        ),
    ),
    Category(
        "Paper",
        3.0,
        38.0,
        1.8,
        _names(
            "Copy Paper, Photo Paper, Recycled Paper, Card Stock, Notebook A5, Notebook A4, "
            "Flip Chart Pad, Envelope Pack, Sticky Notes, Desk Planner"
        ),
    ),
    Category(
        "Software",
        60.0,
        300.0,
        0.6,
        _names(
            "Room Booking, Asset Tracker, Print Control, Visitor Desk, Shift Planner, Team "
            "Whiteboard, Expense Desk, Password Vault, Screen Share, Backup Service"
        ),
    ),
    Category(
        "Supplies",
        2.0,
        28.0,
        2.0,
        _names(
            "Label Roll, Gel Pen Box, Marker Set, Stapler, Paper Clips, Binder, Packing Tape,"
            " Cable Ties, Cleaning Wipes, Battery Pack"
        ),
    ),
)

INDUSTRIES = ("Manufacturing", "Retail", "Health", "Education", "Logistics", "Finance", "Media")
TIERS = ("Basic", "Plus", "Enterprise")
TIER_SHARES = (0.38, 0.44, 0.18)
ACQUISITION = ("search", "referral", "trade fair", "partner", "outbound")
CHANNELS = ("web", "phone", "partner", "marketplace")
REFUND_REASONS = ("damaged", "late", "wrong item", "not as described", "no longer needed")
TOPICS = ("billing", "delivery", "defect", "login", "other")
PLANS = (("Care", 29.0), ("Care Plus", 59.0), ("Care Premium", 149.0))
PRIORITIES = ("low", "normal", "high")
END_REASONS = ("price", "service", "moved to another supplier", "no longer needed")

NAME_HEADS = _names(
    "Alder, Amber, Birch, Bramble, Briar, Cedar, Clover, Cobalt, Coral, Dune, Elm, Ember, "
    "Fern, Fjord, Flint, Garnet, Hazel, Heron, Indigo, Iris, Juniper, Kestrel, Larch, Linden, "
    "Maple, Marble, Meadow, Moss, Nettle, Ochre, Onyx, Osprey, Pebble, Quartz, Raven, Rowan, "
    "Russet, Saffron, Sage, Sorrel, Teal, Thistle, Umber, Violet, Walnut, Willow, Wren, "
    "Yarrow"
)
NAME_TAILS = _names(
    "bank, bay, bridge, brook, cliff, crest, dale, field, ford, gate, grove, haven, hill, "
    "holt, lake, mead, moor, point, ridge, stead, stone, vale, wick, wood"
)
NAME_TRADES = {
    "Manufacturing": ("Works", "Machinery", "Components"),
    "Retail": ("Stores", "Trading", "Outfitters"),
    "Health": ("Clinics", "Care Group", "Laboratories"),
    "Education": ("Academy", "Schools Trust", "Learning"),
    "Logistics": ("Freight", "Logistics", "Carriers"),
    "Finance": ("Capital", "Insurance", "Partners"),
    "Media": ("Press", "Studios", "Broadcast"),
}
