"""What needs no data: greetings, thanks, what the analyst can do, and requests to change data."""

from __future__ import annotations

import re

WHO = (
    "I am the offline analyst: I work by fixed rules and no language model, so I understand plain"
    " questions about the tables of this connection and nothing beyond them."
)
_CAN = (
    "I count, add up, average and rank; group by one or two columns or by day, week, month, quarter"
    " or year; filter by values and periods; relate two figures; say which groups made a figure"
    " change; and follow up on the last question with words such as"
    " 'by month', 'only …' or 'top 3 instead'."
)
_GREETING = re.compile(
    r"^\W*(hi|hello|hey|good (morning|afternoon|evening|day)|greetings|howdy|hallo|hola|bonjour)"
    r"(\s+(there|all|everyone|team|resona|bot))?\W*$",
    re.IGNORECASE,
)
_THANKS = re.compile(
    r"^\W*(thanks?( you)?( so much| a lot| very much)?|thx|cheers|great|perfect|nice|ok(ay)?|cool"
    r"|good job|well done|awesome)(\W+(thanks?( you)?|resona))?\W*$",
    re.IGNORECASE,
)
_BYE = re.compile(r"^\W*(bye|goodbye|see you( later)?|good night)\W*$", re.IGNORECASE)
# Steps that are open are taken up before the analyst is asked: here nothing is left to go on with.
_REST = (
    r"(?:the |your |my )?(?:rest|next|others?|remaining|it|that|this)(?: (?:ones?|steps?|part))?"
)
_GO_ON = re.compile(
    r"\W*(?:(?:yes|yeah|yep|ok(?:ay)?|sure|please|do it|and|then|now|let'?s|just)\b\W*)*"
    rf"(?:yes|yeah|yep|sure|please|do it|more|{_REST}"
    rf"|(?:go on|go ahead|continue|carry on|keep going|proceed|move on)(?: (?:with|to) {_REST})?)"
    r"(?:\W+(?:please|then|now))*\W*",
    re.IGNORECASE,
)
_ABOUT = re.compile(
    r"\b(what can you (do|answer|help)|who are you|what are you|how do you work|are you (a|an) "
    r"(ai|bot|human|model|llm)|help me$|^\W*help\W*$|what (questions )?can i ask|how can you help)",
    re.IGNORECASE,
)
_WRITE = re.compile(
    r"^\W*(?:(?:please|can you|could you|would you|i want to|i want you to|i need to|i need you to"
    r"|let'?s|kindly|now|then|go ahead and|and)\s+)*"
    r"(delete|remove|drop|update|insert|truncate|erase|wipe|modify|alter|overwrite|purge|rename"
    r"|create (a |an |the )?(new )?(table|index|view|column|user|row|record|database)"
    r"|add (a |an |the )?(new )?(row|record|column|customer|order|product|user|entry|table)"
    r"|grant|revoke|fix the data|correct the)\b(?P<rest>.*)",
    re.IGNORECASE | re.DOTALL,
)
_POLITE = (
    r"^\W*(?:(?:please|can you|could you|would you|i want to|i want you to|i need to|i need you to"
    r"|let'?s|kindly|now|then|go ahead and|and)\s+)*"
)
_THESE = r"(?:the|all|every|each|any|this|that|these|those|our|my|a|an)"
# What a verb is done to, and what shall become of it: with both, no question is meant.
_WRITES_TO = tuple(
    re.compile(_POLITE + text, re.IGNORECASE)
    for text in (
        r"(?:set|reset|change|switch|convert|turn|make)\b(?! up\b)[^?]{1,80}?"
        r"\s(?:to|=|into|equal)"
        r"\s+\S",
        r"replace\s+[^?]{1,60}?\s(?:with|by)\s+\S",
        r"(?:make|render)\s+(?:all|every|each|the)\b[^?]{1,60}\b(?:zero|free|null|empty|inactive"
        r"|active)\W*$",
        r"(?:increase|decrease|raise|lower|reduce|double|halve|triple|cut|bump|adjust|discount)\s+"
        r"(?!(?:it|this|that|down|to)\b)"
        rf"(?:{_THESE}\s+)?[^?]{{1,60}}?\b(?:by|to|with)\s+[$€£]?\d",
        rf"(?:double|halve|triple|zero|null|nullify)\s+(?:out\s+)?{_THESE}\b",
        rf"(?:mark|flag|tag|cancel|close(?! to)|reopen|archive|approve|reject|assign|reassign"
        rf"|deactivate|activate|disable|enable|block|register|refund|merge|move|replace|swap|reset|clear|empty"
        rf"|restore|anonymi[sz]e|mask|encrypt|store|save|put|enter|book|place|ship)\s+"
        rf"(?:{_THESE}\s+\w+|\w+\s+#?\d+\b|\w+ as \w+)(?!\W*$)",
        rf"(?:cancel|close(?! to)|reopen|archive|approve|reject|deactivate|activate|disable|enable"
        rf"|block|refund|clear|empty|anonymi[sz]e)\s+(?:{_THESE}\s+\w+|\w+\s+#?\d+)\W*$",
    )
)
# "Remove the filter", "drop the year": what changes there is the question, not the data.
_ABOUT_QUESTION = re.compile(
    r"^\s*(the |that |this |all |my )?(last |previous |first )?(filters?|conditions?|groups?"
    r"|grouping|limit|sort(ing)?|order(ing)?|columns? from the (result|chart|table)|duplicates?"
    r"|nulls?|outliers?|restriction|years?|months?|quarters?|periods?|dates?)\b",
    re.IGNORECASE,
)
# "Change it to a chart", "make it a bar chart", "switch to months": only the view changes.
_LOOKS = re.compile(
    r"^\W*(?:\w+\s+){0,3}?(?:set|change|switch|turn|convert|make|move|put)\s+(?:\S+\s+){0,5}?"
    r"(?:to|into|in|as|a|an)\s+(?:a |an |the )?(?:\w+ )?"
    r"(?:charts?|graphs?|plots?|tables?|bars?|lines?|pies?|days?|weeks?|months?|quarters?|years?"
    r"|percent\w*|shares?|average|median|sum|total|top|\d{4})\b"
    r"|^\W*(?:and\s+)?(?:set|clear|reset)\s+(?:the |my |all )?(?:filters?|limit|period|grouping)\b",
    re.IGNORECASE,
)
_SQL_WRITE = re.compile(
    r"\b(drop\s+table|delete\s+from|truncate\s+table|insert\s+into|update\s+\w+\s+set|alter\s+table)\b",
    re.IGNORECASE,
)


def smalltalk(question: str, *, tables: tuple[str, ...]) -> str | None:
    """Return an answer to words that ask for no data; None for questions."""
    text = question.strip()
    examples = _examples(tables)
    if _GREETING.match(text):
        return f"Hello! {WHO} {_CAN}{examples}"
    if _THANKS.match(text):
        return "You are welcome. Ask me the next question about the data whenever you like."
    if _GO_ON.fullmatch(text):
        return (
            "There is nothing open in this thread that I could go on with. Ask the next question,"
            " or go on from the last one with words such as 'by month' or 'only ...'."
        )
    if _BYE.match(text):
        return "Goodbye! The thread stays here for further questions."
    if _ABOUT.search(text):
        return f"{WHO} {_CAN}{examples}"
    return None


def asks_to_write(question: str) -> bool:
    """Say whether somebody asks to change data rather than to read it."""
    found = _WRITE.match(question.strip())
    if found is not None and not _ABOUT_QUESTION.match(found["rest"] or ""):
        return True
    text = question.strip()
    if any(pattern.match(text) for pattern in _WRITES_TO) and not _LOOKS.match(text):
        return True
    return _SQL_WRITE.search(question) is not None


REFUSAL = (
    "I can only read: nothing in this database can be deleted, changed or added from here. I can"
    " show you the rows that you have in mind instead."
)


TOO_LONG = (
    "That is more than I can read at once: I am the offline analyst and understand questions of up"
    " to {most} words. Please ask for one thing, such as a figure by month."
)


def _examples(tables: tuple[str, ...]) -> str:
    if not tables:
        return ""
    named = ", ".join(tables[:6]) + (" and others" if len(tables) > 6 else "")
    first = next(iter(tables)).replace("_", " ")
    return f" The tables here are {named}. Try: how many {first} are there?"
