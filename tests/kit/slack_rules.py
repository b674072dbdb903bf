"""What Slack refuses: blocks, views and chunks held against adapters/slack/limits.py."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterator
from typing import Any, cast

from adapters.slack import limits
from adapters.slack.blocks.message import texts

Json = dict[str, Any]

_FILE = re.compile(r"F[A-Z0-9]{8,}")
_STYLES = {None, "primary", "danger"}
_MESSAGE_ONLY = {"data_table", "data_visualization", "image", "context_actions"}


def block_errors(blocks: list[Json], *, files: set[str], view: bool = False) -> list[str]:
    """Return what Slack would say against these blocks; empty when it takes them."""
    most = limits.VIEW_BLOCKS if view else limits.BLOCKS
    errors = [f"more than {most} blocks"] if len(blocks) > most else []
    ids = [each["block_id"] for each in blocks if "block_id" in each]
    actions = [e["action_id"] for b in blocks for e in b.get("elements", []) if "action_id" in e]
    errors += ["block_id twice"] if len(set(ids)) < len(ids) else []
    errors += ["action_id twice"] if len(set(actions)) < len(actions) else []
    charts = sum(b.get("type") == "data_visualization" for b in blocks)
    errors += ["three charts"] if charts > limits.CHARTS else []
    errors += ["two tables"] if sum(b.get("type") == "data_table" for b in blocks) > 1 else []
    for block in blocks:
        check = _BLOCKS.get(block.get("type", ""))
        if check is None or (view and block["type"] in _MESSAGE_ONLY):
            errors.append(f"unsupported block {block.get('type')!r}")
        else:
            errors += [f"{block['type']}: {error}" for error in check(block)]
            errors += _unknown_pictures(block, files)
    return errors


def characters(blocks: list[Json]) -> int:
    """Count the characters of a message as Slack does; a table has a limit of its own."""
    return sum(len(text) for b in blocks if b.get("type") != "data_table" for text in texts(b))


def view_errors(view: Json) -> list[str]:
    errors = block_errors(view.get("blocks", []), files=set(), view=True)
    errors += [] if view.get("type") in {"modal", "home"} else ["view: no type"]
    if view.get("type") == "modal":
        errors += [
            f"view: {key}"
            for key in ("title", "submit", "close")
            if key in view and list(_plain(view[key], limits.VIEW_TITLE))
        ]
        errors += [] if view.get("title") else ["view: no title"]
        has_input = any(b.get("type") == "input" for b in view.get("blocks", []))
        errors += ["view: input without submit"] if has_input and "submit" not in view else []
    errors += (
        ["view: private_metadata"]
        if len(view.get("private_metadata", "")) > limits.PRIVATE_METADATA
        else []
    )
    errors += ["view_too_large"] if len(json.dumps(view)) > limits.VIEW_BYTES else []
    return errors


def chunk_errors(chunks: list[Json]) -> list[str]:
    errors: list[str] = []
    for chunk in chunks:
        match chunk:
            case {"type": "markdown_text", "text": str(text)}:
                errors += ["markdown_text too long"] if len(text) > limits.STREAM_TEXT else []
            case {"type": "plan_update", "title": str(title)}:
                errors += [] if 0 < len(title) <= limits.CARD_TEXT else ["plan title"]
            case {"type": "task_update", "id": str(), "title": str(title), "status": str(status)}:
                errors += _only(chunk, {"type", "id", "title", "status", "details", "output"})
                errors += [] if 0 < len(title) <= limits.CARD_TEXT else ["task title"]
                errors += _strings(chunk, ("details", "output"))
                known = {"pending", "in_progress", "complete", "error"}
                errors += [] if status in known else [f"task status {status!r}"]
            case _:
                errors.append(f"unknown chunk {chunk.get('type')!r}")
    return errors


def _strings(chunk: Json, keys: tuple[str, ...]) -> list[str]:
    return [
        f"task {key}"
        for key in keys
        if key in chunk
        and not (isinstance(chunk[key], str) and len(chunk[key]) <= limits.CARD_TEXT)
    ]


def _unknown_pictures(block: Json, files: set[str]) -> list[str]:
    file = block.get("slack_file", {}).get("id")
    return ["invalid slack file"] if file is not None and file not in files else []


def _text(object_: Any, most: int, kinds: tuple[str, ...]) -> Iterator[str]:
    given = cast("Json", object_) if isinstance(object_, dict) else {}
    if given.get("type") not in kinds:
        yield f"text must be one of {kinds}"
        return
    text = given.get("text")
    if not isinstance(text, str) or not 0 < len(text) <= most:
        yield f"text must have 1 to {most} characters"
    allowed = (
        {"type", "text", "emoji"} if given["type"] == "plain_text" else {"type", "text", "verbatim"}
    )
    if set(given) - allowed:
        yield f"unknown keys {set(given) - allowed}"


def _plain(given: Any, most: int) -> Iterator[str]:
    return _text(given, most, ("plain_text",))


def _any(given: Any, most: int) -> Iterator[str]:
    return _text(given, most, ("plain_text", "mrkdwn"))


def _section(block: Json) -> Iterator[str]:
    # Slack knows more of a section (fields, an accessory); what is not checked here is refused.
    yield from _only(block, {"type", "block_id", "text", "expand"})
    yield from _any(block.get("text"), limits.SECTION)


def _context(block: Json) -> Iterator[str]:
    yield from _only(block, {"type", "block_id", "elements"})
    elements = block.get("elements", [])
    if not 0 < len(elements) <= limits.CONTEXT_ELEMENTS:
        yield "1 to 10 elements"
    for each in elements:
        yield from _any(each, limits.SECTION)


def _actions(block: Json) -> Iterator[str]:
    yield from _only(block, {"type", "block_id", "elements"})
    elements = block.get("elements", [])
    if not 0 < len(elements) <= limits.ACTIONS:
        yield "1 to 25 elements"
    for each in elements:
        yield from _button(each)


def _button(button: Json) -> Iterator[str]:
    yield from _only(
        button, {"type", "action_id", "text", "value", "url", "style", "accessibility_label"}
    )
    if button.get("type") != "button":
        yield f"unknown element {button.get('type')!r}"
    yield from _plain(button.get("text"), limits.BUTTON)
    if not 0 < len(button.get("action_id", "")) <= limits.IDENTIFIER:
        yield "action_id"
    if len(button.get("value", "")) > limits.BUTTON_VALUE:
        yield "value"
    if len(button.get("url", "")) > limits.BUTTON_URL:
        yield "url"
    if button.get("style") not in _STYLES:
        yield "style"


def _context_actions(block: Json) -> Iterator[str]:
    elements = block.get("elements", [])
    if not 0 < len(elements) <= 5:
        yield "1 to 5 elements"
    for each in elements:
        if each.get("type") != "feedback_buttons":
            yield f"unknown element {each.get('type')!r}"
        for key in ("positive_button", "negative_button"):
            thumb = each.get(key, {})
            yield from _only(thumb, {"text", "value", "accessibility_label"})
            yield from _plain(thumb.get("text"), limits.BUTTON)
            if len(thumb.get("value", "")) > limits.BUTTON_VALUE:
                yield "value"


def _image(block: Json) -> Iterator[str]:
    yield from _only(block, {"type", "block_id", "image_url", "slack_file", "alt_text", "title"})
    if not 0 < len(block.get("alt_text", "")) <= limits.ALT_TEXT:
        yield "alt_text"
    if ("image_url" in block) == ("slack_file" in block):
        yield "image_url or slack_file, one of them"
    if "slack_file" in block and not _FILE.fullmatch(block["slack_file"].get("id", "")):
        yield "slack_file"


def _data_table(block: Json) -> Iterator[str]:
    yield from _only(
        block,
        {"type", "block_id", "caption", "rows", "page_size", "row_header_column_index"},
    )
    rows = block.get("rows", [])
    if not block.get("caption"):
        yield "caption"
    if not 2 <= len(rows) <= limits.TABLE_ROWS:
        yield "2 to 201 rows"
        return
    if not 1 <= block.get("page_size", 5) <= limits.TABLE_PAGE:
        yield "page_size"
    if {len(row) for row in rows} != {len(rows[0])} or not 1 <= len(
        rows[0]
    ) <= limits.TABLE_COLUMNS:
        yield "rows of 1 to 20 cells, all alike"
    if any(cell.get("type") != "raw_text" for cell in rows[0]):
        yield "heads must be raw_text"
    for cell in (cell for row in rows for cell in row):
        yield from _cell(cell)
    if sum(len(cell.get("text", "")) for row in rows for cell in row) > limits.TABLE_CHARACTERS:
        yield "more than 20000 characters"


def _data_visualization(block: Json) -> Iterator[str]:
    yield from _only(block, {"type", "block_id", "title", "chart"})
    if not 0 < len(block.get("title", "")) <= limits.CHART_TITLE:
        yield "title"
    chart = block.get("chart", {})
    yield from _only(chart, {"type", "series", "axis_config"})
    axis, series = chart.get("axis_config", {}), chart.get("series", [])
    if chart.get("type") not in {"bar", "area", "line"}:
        yield "type of chart"
    categories = axis.get("categories", [])
    yield from _labels(categories, limits.CHART_CATEGORIES)
    yield from _labels([each.get("name", "") for each in series], limits.CHART_SERIES)
    for key in ("x_label", "y_label"):
        if len(axis.get(key, "")) > limits.CHART_AXIS:
            yield key
    for point in (point for each in series for point in each["data"]):
        value = point.get("value")
        if not isinstance(value, int | float) or not math.isfinite(value):
            yield "value of a point"
    if any([point["label"] for point in each["data"]] != categories for each in series):
        yield "one point of each series in each category"


def _labels(given: list[str], most: int) -> Iterator[str]:
    if not 0 < len(given) <= most or len(set(given)) < len(given):
        yield f"1 to {most} labels, all different"
    if any(not 0 < len(each) <= limits.CHART_LABEL for each in given):
        yield f"labels of 1 to {limits.CHART_LABEL} characters"


def _cell(cell: Json) -> Iterator[str]:
    if not isinstance(cell.get("text"), str) or not cell["text"]:
        yield "empty cell"
    match cell.get("type"):
        case "raw_text":
            yield from _only(cell, {"type", "text"})
        case "raw_number":
            yield from _only(cell, {"type", "text", "value"})
            value = cell.get("value")
            if not isinstance(value, int | float) or not math.isfinite(value):
                yield "value of a number"
        case other:
            yield f"unknown cell {other!r}"


def _input(block: Json) -> Iterator[str]:
    yield from _only(block, {"type", "block_id", "label", "element", "hint", "optional"})
    yield from _plain(block.get("label"), limits.INPUT_LABEL)
    element = block.get("element", {})
    check = _ELEMENTS.get(element.get("type", ""))
    if check is None:
        yield f"unknown element {element.get('type')!r}"
        return
    if not 0 < len(element.get("action_id", "")) <= limits.IDENTIFIER:
        yield "action_id"
    if "placeholder" in element:
        yield from _plain(element["placeholder"], limits.PLACEHOLDER)
    yield from check(element)


_ELEMENT = {"type", "action_id", "placeholder", "focus_on_load"}


def _text_input(element: Json) -> Iterator[str]:
    yield from _only(element, _ELEMENT | {"initial_value", "multiline", "min_length", "max_length"})
    most = element.get("max_length", 1)
    if not 0 < most <= limits.INPUT_LENGTH:
        yield "max_length"
    if len(element.get("initial_value", "")) > element.get("max_length", limits.INPUT_LENGTH):
        yield "initial_value"


def _static_select(element: Json) -> Iterator[str]:
    yield from _only(element, _ELEMENT | {"options", "initial_option"})
    options = element.get("options", [])
    if not 0 < len(options) <= limits.OPTIONS:
        yield "1 to 100 options"
    for each in options:
        yield from _only(each, {"text", "value", "description"})
        yield from _plain(each.get("text"), limits.OPTION_TEXT)
        if not 0 < len(each.get("value", "")) <= limits.OPTION_VALUE:
            yield "value of an option"
    if "initial_option" in element and element["initial_option"] not in options:
        yield "initial_option is none of the options"


def _conversations_select(element: Json) -> Iterator[str]:
    yield from _only(
        element, _ELEMENT | {"initial_conversation", "default_to_current_conversation", "filter"}
    )
    if element.get("initial_conversation", "C")[:1] not in {"C", "G"}:
        yield "initial_conversation"


_ELEMENTS: dict[str, Callable[[Json], Iterator[str]]] = {
    "plain_text_input": _text_input,
    "static_select": _static_select,
    "conversations_select": _conversations_select,
}


def _header(block: Json) -> Iterator[str]:
    yield from _only(block, {"type", "block_id", "text", "level"})
    yield from _plain(block.get("text"), limits.HEADER)


def _divider(block: Json) -> Iterator[str]:
    yield from _only(block, {"type", "block_id"})


def _only(given: Json, allowed: set[str]) -> Iterator[str]:
    if set(given) - allowed:
        yield f"unknown keys {sorted(set(given) - allowed)}"


_BLOCKS: dict[str, Callable[[Json], Iterator[str]]] = {
    "section": _section,
    "context": _context,
    "actions": _actions,
    "context_actions": _context_actions,
    "image": _image,
    "data_table": _data_table,
    "data_visualization": _data_visualization,
    "input": _input,
    "header": _header,
    "divider": _divider,
}
