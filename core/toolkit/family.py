"""The 13 intents: each groups the tools of one folder in core/tools."""

from enum import StrEnum


class Family(StrEnum):
    """What kind of work a question asks for."""

    EXPLORE = "explore"
    ANALYZE = "analyze"
    TIME = "time"
    SEGMENT = "segment"
    QUALITY = "quality"
    REPORT = "report"
    COMPARE = "compare"
    PREDICT = "predict"
    META = "meta"
    MEMORY = "memory"
    WORKSPACE = "workspace"
    RESEARCH = "research"
    CONVERSATIONAL = "conversational"
