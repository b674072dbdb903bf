"""How a figure of a result is rounded for a reader, wherever it is shown."""

from decimal import ROUND_HALF_UP, Decimal, localcontext


def rounded(value: float | Decimal, decimals: int) -> str:
    """Write a figure with so many decimals, a half up; one too small for them reads < 0.01.

    Nothing that is not zero is shown as zero: a probability of 4e-44 is "< 0.000001".
    """
    if value == 0:
        return f"{0:.{decimals}f}"
    # Its shortest decimal form is what a reader takes a float for: 2.675 is no 2.67499999.
    exact = value if isinstance(value, Decimal) else Decimal(repr(value))
    with localcontext(rounding=ROUND_HALF_UP):
        text = f"{exact:,.{decimals}f}"
    if any(digit in text for digit in "123456789"):
        return text
    least = f"{10**-decimals:.{decimals}f}"
    return f"< {least}" if value > 0 else f"> -{least}"
