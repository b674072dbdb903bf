"""The many ways in which people and models write a number."""

from __future__ import annotations

from dataclasses import dataclass, replace
from random import Random
from typing import Self

_SCALES = ((1e9, ("B", "bn", " billion")), (1e6, ("M", "m", " million")), (1e3, ("K", "k")))


@dataclass(frozen=True, slots=True)
class Pen:
    """`shift` writes every amount in a unit that is not its own."""

    draw: Random
    shift: str = ""

    def wrong_unit(self) -> Self:
        return replace(self, shift=self.draw.choice(("percent", "scale")))

    def amount(self, value: float) -> str:
        """Write a value in full or scaled, sometimes with a currency before or after it."""
        if self.shift == "percent":
            return f"{self.exact(value)}%"
        if self.shift == "scale":
            return f"{_short(value)} million" if value < 1e5 else f"{_short(value / 1e6)} billion"
        written = self.draw.choice((self.exact(value), self.scaled(value), self.scaled(value)))
        return self.draw.choice((written, written, f"${written}", f"€{written}", f"{written} USD"))

    def about(self, value: float) -> str:
        if self.shift:
            return self.amount(value)
        return self.draw.choice(("about ", "roughly ", "~", "around ", "c. ")) + self.scaled(value)

    def exact(self, value: float) -> str:
        return f"{value:,.0f}" if value == int(value) else f"{value:,.2f}"

    def scaled(self, value: float) -> str:
        for scale, names in _SCALES:
            if value >= scale:
                return _short(value / scale) + self.draw.choice(names)
        return self.exact(value)

    def percent(self, share: float) -> str:
        written = f"{share * 100:.1f}"
        return written + self.draw.choice(("%", "%", " %", " percent"))

    def signed(self, share: float) -> str:
        sign = "+" if share > 0 else self.draw.choice(("-", "\u2212"))
        return f"{sign}{abs(share) * 100:.1f}%"

    def off(self, value: float) -> float:
        """Return the value with one of its first two digits changed."""
        digits = f"{value:.10e}"
        at = self.draw.choice((0, 2))
        other = self.draw.choice(
            [each for each in "2345678" if abs(int(each) - int(digits[at])) > 1]
        )
        changed = float(digits[:at] + other + digits[at + 1 :])
        return float(round(changed)) if value == int(value) else round(changed, 2)


def _short(value: float) -> str:
    return f"{value:,.2f}" if value < 10 else f"{value:,.1f}"
