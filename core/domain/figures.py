"""How a figure of a result is rounded for a reader, wherever it is shown."""


def rounded(value: float, decimals: int) -> str:
    """Write a figure with so many decimals; one that is too small for them reads < 0.01.

    Nothing that is not zero is shown as zero: a probability of 4e-44 is "< 0.000001".
    """
    text = f"{value:,.{decimals}f}"
    if value == 0 or any(digit in text for digit in "123456789"):
        return text
    least = f"{10**-decimals:.{decimals}f}"
    return f"< {least}" if value > 0 else f"> -{least}"
