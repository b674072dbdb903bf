"""The window in which a connection is described; its password has no field in it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import orjson
from pydantic import BaseModel, Field

from adapters.slack import limits, presses
from adapters.slack.inbound import Text
from adapters.slack.places import Place
from adapters.slack.wire import Object, context, plain, section
from core.domain.connection_draft import ConnectionDraft, Engine

ACTION = "field"
_ENGINES = {
    Engine.POSTGRESQL: "PostgreSQL",
    Engine.MYSQL: "MySQL",
    Engine.MARIADB: "MariaDB",
}
_YES, _NO = "yes", "no"
_LONG = 500
_SHORT = 255


class _Option(BaseModel):
    value: Text = ""


class _Value(BaseModel):
    value: Text = ""
    selected_option: _Option | None = None
    selected_conversation: Text = ""

    @property
    def text(self) -> str:
        chosen = self.selected_option.value if self.selected_option else ""
        return (self.value or chosen or self.selected_conversation).strip()


class _State(BaseModel):
    values: Mapping[str, Mapping[str, _Value]] = Field(
        default_factory=dict[str, Mapping[str, _Value]]
    )


class _View(BaseModel):
    id: Text = ""
    callback_id: Text = ""
    private_metadata: Text = ""
    state: _State = Field(default_factory=_State)


class _Person(BaseModel):
    id: Text = ""


class _Body(BaseModel):
    user: _Person = Field(default_factory=_Person)
    view: _View | None = None


class _Where(BaseModel):
    """`replaces` is the name of the connection that the form is about, where there is one."""

    team: str
    channel: str
    replaces: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class FilledIn:
    """The form as it was sent off: by whom, and where it had been asked for."""

    view: str
    user: str
    place: Place
    draft: ConnectionDraft


def form(draft: ConnectionDraft, place: Place) -> Object:
    """Return the window, with what is known in its fields."""
    replaces = draft.name if draft.replaces else ""
    where = _Where(team=place.team, channel=place.channel, replaces=replaces)
    return {
        **_window("Connect a database"),
        "callback_id": presses.CONNECT_VIEW,
        "private_metadata": orjson.dumps(where.model_dump()).decode(),
        "submit": plain("Go on", limits.VIEW_TITLE),
        "blocks": [
            _select("engine", "Database", draft.engine, list(_ENGINES.items())),
            _line("name", "What to call it here", draft.name, hint="For example: sales"),
            _line("host", "Server", draft.host, hint="For example: db.example.com"),
            _line("port", "Port, if it is not the usual one", draft.port, optional=True),
            _line("database", "Name of the database", draft.database),
            _line("user", "Login, best one that may only read", draft.user),
            _choice("encrypted", "Line to the server", ("Encrypted", "Open"), yes=draft.encrypted),
            _line("description", "What is in it", draft.description, optional=True, most=_LONG),
            _line(
                "schemas",
                "Schemas besides the usual one, with commas",
                draft.schemas,
                optional=True,
                most=_LONG,
            ),
            _line(
                "tables",
                "The only tables that may be read, with commas",
                draft.tables,
                hint="Nothing for all of them",
                optional=True,
                most=_LONG,
            ),
            _line(
                "hide",
                "Columns that nobody may see",
                draft.hide,
                hint="For example: people.ssn, salaries.*",
                optional=True,
                most=_LONG,
            ),
            _line(
                "mask",
                "Columns of which only stars are shown",
                draft.mask,
                hint="For example: *.email",
                optional=True,
                most=_LONG,
            ),
            _line(
                "ask_above",
                "Ask a person above so many rows read",
                draft.ask_above,
                hint="Nothing for 50 million",
                optional=True,
            ),
            _channel(draft.channel),
            _choice(
                "only_there",
                "Who may ask it",
                ("Everybody in that channel", "Everybody in the workspace"),
                yes=draft.only_there,
            ),
            context("The password comes next, at a page of mine: no field here hides its text."),
        ],
    }


def waiting() -> Object:
    """Return a window that is there at once, for what comes into it a moment later."""
    return {**_window("Connect a database"), "blocks": [section("One moment …")]}


def told(sentence: str) -> Object:
    """Return a window that says why there is no form in it."""
    return {**_window("Connect a database"), "blocks": [section(sentence)]}


def filled_in(body: Mapping[str, object]) -> FilledIn | None:
    """Read a window that was sent off; None where it is another one.

    Raises:
        pydantic.ValidationError: it is no window of ours.
    """
    parsed = _Body.model_validate(body)
    view = parsed.view
    if view is None or view.callback_id != presses.CONNECT_VIEW:
        return None
    where = _Where.model_validate_json(view.private_metadata)
    given = {name: _first(fields).text for name, fields in view.state.values.items()}
    engine = given.get("engine", "")
    draft = ConnectionDraft(
        engine=Engine(engine) if engine in list(Engine) else Engine.POSTGRESQL,
        encrypted=given.get("encrypted") != _NO,
        only_there=given.get("only_there") == _YES,
        # Under another name it is another one.
        replaces=bool(where.replaces) and given.get("name") == where.replaces,
        **{name: given.get(name, "") for name in _TEXTS},
    )
    return FilledIn(
        view=view.id,
        user=parsed.user.id,
        place=Place(
            team=where.team,
            channel=where.channel,
            thread="",
            private=where.channel.startswith("D"),
        ),
        draft=draft,
    )


_TEXTS = (
    *("name", "host", "port", "database", "user", "description", "schemas", "tables"),
    *("hide", "mask", "ask_above", "channel"),
)


def _first(fields: Mapping[str, _Value]) -> _Value:
    return fields.get(ACTION) or _Value()


def _window(title: str) -> Object:
    return {
        "type": "modal",
        "title": plain(title, limits.VIEW_TITLE),
        "close": plain("Close", limits.VIEW_TITLE),
    }


def _input(block: str, label: str, element: Object, *, optional: bool = False) -> Object:
    return {
        "type": "input",
        "block_id": block,
        "label": plain(label, limits.INPUT_LABEL),
        "optional": optional,
        "element": {**element, "action_id": ACTION},
    }


def _line(
    block: str,
    label: str,
    known: str,
    *,
    hint: str = "",
    optional: bool = False,
    most: int = _SHORT,
) -> Object:
    element: Object = {"type": "plain_text_input", "max_length": most}
    if known:
        element["initial_value"] = known[:most]
    if hint:
        element["placeholder"] = plain(hint, limits.PLACEHOLDER)
    return _input(block, label, element, optional=optional)


def _select(block: str, label: str, known: str, options: Sequence[tuple[str, str]]) -> Object:
    made = {value: _option(value, text) for value, text in options}
    element: Object = {
        "type": "static_select",
        "options": list(made.values()),
        "initial_option": made[known],
    }
    return _input(block, label, element)


def _choice(block: str, label: str, texts: tuple[str, str], *, yes: bool) -> Object:
    return _select(block, label, _YES if yes else _NO, list(zip((_YES, _NO), texts, strict=True)))


def _channel(known: str) -> Object:
    element: Object = {"type": "conversations_select"}
    # Slack's list has no direct messages with an app, and takes nothing that is not in it.
    if known and not known.startswith("D"):
        element["initial_conversation"] = known
    return _input("channel", "Channel that asks it from now on", element, optional=True)


def _option(value: str, text: str) -> Object:
    return {"text": plain(text, limits.OPTION_TEXT), "value": value}
