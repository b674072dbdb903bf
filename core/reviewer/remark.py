"""What a check has to say."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Remark:
    """One thing to know; `for_reader` where the answer must carry it too."""

    text: str
    for_reader: bool = False
