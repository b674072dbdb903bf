"""Words without their endings, so that `cities` finds `city` and `opened` finds `open`."""

from functools import lru_cache

from adapters.models.offline.reading.word_lists import words_in

_IRREGULAR = {
    "people": "person", "persons": "person", "men": "man", "women": "woman",
    "children": "child", "feet": "foot", "teeth": "tooth", "mice": "mouse", "geese": "goose",
    "lives": "life", "wives": "wife", "knives": "knife", "leaves": "leaf", "halves": "half",
    "shelves": "shelf", "movies": "movie", "cookies": "cookie", "series": "series",
    "species": "species", "news": "news", "data": "data", "media": "media", "analyses": "analysis",
    "indices": "index", "criteria": "criterion", "statuses": "status", "gas": "gas", "bus": "bus",
    "was": "was", "has": "has", "is": "is", "does": "does", "this": "this", "his": "his",
    "its": "its", "as": "as", "us": "us", "yes": "yes", "plus": "plus", "sales": "sale",
    "shoes": "shoe", "aliases": "alias", "ids": "id", "expenses": "expense", "licenses": "license",
    "purchases": "purchase", "courses": "course", "cases": "case", "bases": "base",
    "databases": "database", "responses": "response", "releases": "release", "houses": "house",
    "nurses": "nurse", "horses": "horse", "causes": "cause", "uses": "use", "phases": "phase",
    "diseases": "disease", "promises": "promise", "leases": "lease", "axes": "axis",
}  # fmt: skip
_VERBS = {
    "sold": "sale", "sell": "sale", "bought": "buy", "paid": "pay", "wrote": "write",
    "written": "write", "taught": "teach", "spoke": "speak", "spoken": "speak", "born": "birth",
    "spent": "spend", "flew": "fly", "flown": "fly", "won": "win", "held": "hold",
    "led": "lead", "gave": "give", "given": "give", "took": "take", "taken": "take",
    "drew": "draw", "drawn": "draw", "built": "build", "died": "die", "began": "begin",
    "begun": "begin", "sent": "send", "lent": "lend", "left": "leave", "met": "meet",
    "grew": "grow", "grown": "grow", "rose": "rise", "fell": "fall", "ran": "run", "lost": "lose",
    "knew": "know", "known": "know", "chose": "choose", "chosen": "choose", "saw": "see",
    "seen": "see", "shown": "show", "kept": "keep", "got": "get", "had": "have", "has": "have",
    "went": "go", "came": "come", "found": "find", "said": "say", "told": "tell", "did": "do",
    "weighed": "weight", "weigh": "weight", "weighs": "weight", "lying": "lie", "dying": "die",
}  # fmt: skip
_SUFFIXES = (
    "ment", "ship", "ful", "ity", "ance", "ence", "ings", "ing", "ion", "ier", "er", "or", "ied",
    "ed", "ies", "al", "ly", "ous", "es", "e", "y", "s",
)  # fmt: skip
# Their ends look like endings, and what would be left is another word.
_WHOLE = words_in("whole")
_SHORTEST_STEM = 3
_INFLECTED = (
    ("ies", ("y",)), ("ied", ("y",)), ("es", ("", "e")), ("s", ("",)), ("ed", ("", "e")),
    ("ing", ("", "e")),
)  # fmt: skip


@lru_cache(maxsize=20_000)
def singular(word: str) -> str:
    """Return a lower-case word as its singular; words that are none stay as they are."""
    known = _IRREGULAR.get(word)
    if known is not None:
        return known
    if len(word) <= 3 or not word.endswith("s") or word.endswith(("ss", "us", "is")):
        return word
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("sses", "shes", "ches", "xes", "zzes")):
        return word[:-2]
    if word.endswith("oes") and len(word) > 5:
        return word[:-2]
    whole = word.endswith("ses") and word[-4:-3] in "uia" and not word.endswith(("auses", "ises"))
    return word[:-2] if whole else word[:-1]


@lru_cache(maxsize=20_000)
def stem(word: str) -> str:
    """Return what a word shares with its relatives: visit, visitor, visited; rate, rating."""
    word = _VERBS.get(word, word)
    if word in _WHOLE:
        return word
    if word.endswith("ription"):
        word = word.removesuffix("ription") + "ribe"
    for _ in range(2):
        shorter = _without_suffix(word)
        if shorter == word:
            break
        word = shorter
    return word[:-2] if word.endswith("at") and len(word) > 4 else word


def _without_suffix(word: str) -> str:
    for suffix in _SUFFIXES:
        rest = len(word) - len(suffix)
        if rest >= _SHORTEST_STEM and word.endswith(suffix) and not word.endswith("ss"):
            return _single_end(word[:rest])
    return word


def _single_end(word: str) -> str:
    doubled = len(word) > 3 and word[-1] == word[-2] and word[-1] not in "aeiouls"
    return word[:-1] if doubled else word


def related(one: str, other: str) -> bool:
    """Say whether two stems belong to the same word: `register` and `registration` do."""
    if one == other:
        return True
    if one in _WHOLE or other in _WHOLE:
        return False
    short, long = sorted((one, other), key=len)
    return len(short) >= 5 and long.startswith(short) and len(long) - len(short) <= 4


@lru_cache(maxsize=20_000)
def verb_forms(word: str) -> tuple[str, ...]:
    """Return what the base form of a word may be, if it is a verb: `making` is of `make`."""
    found = [word]
    irregular = _VERBS.get(word)
    if irregular is not None:
        found.append(irregular)
    for ending, others in _INFLECTED:
        rest = word.removesuffix(ending)
        if rest != word and len(rest) > 1:
            found += [rest + other for other in others]
            found.append(_single_end(rest))
    return tuple(found)


def plural(word: str) -> str:
    if word.endswith("y") and word[-2:-1] not in "aeiou":
        return f"{word[:-1]}ies"
    return word if word.endswith("s") else f"{word}s"
