"""The windows of a workspace: opened with a leave that lasts three seconds, changed, published."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from adapters.slack import limits
from tests.kit.slack_rules import view_errors
from tests.kit.slack_things import Refused

Json = dict[str, Any]


class Windows:
    """The part of a workspace that keeps windows; the rest of it has what is declared here."""

    now: Callable[[], float]
    names: dict[str, str]
    views: list[Json]
    published: dict[str, list[Json]]
    refusals: list[str]
    triggers: dict[str, float]

    def trigger(self, *, expired: bool = False) -> str:
        id = f"trigger.{len(self.triggers)}"
        self.triggers[id] = self.now() - (limits.TRIGGER_SECONDS + 1 if expired else 0)
        return id

    def _views_open(self, arguments: Json) -> Json:
        issued = self.triggers.pop(arguments.get("trigger_id", ""), None)
        if issued is None:
            raise Refused("exchanged_trigger_id")
        if self.now() - issued > limits.TRIGGER_SECONDS:
            raise Refused("expired_trigger_id")
        return self._shown_view(arguments["view"])

    def _views_update(self, arguments: Json) -> Json:
        at = int(arguments["view_id"].removeprefix("V")) - 1
        if not 0 <= at < len(self.views):
            raise Refused("not_found")
        shown = self._shown_view(arguments["view"])
        self.views[at] = self.views.pop()
        return {"view": {**shown["view"], "id": arguments["view_id"]}}

    def _views_publish(self, arguments: Json) -> Json:
        if arguments.get("user_id") not in self.names:
            raise Refused("user_not_found")
        if arguments["view"].get("type") != "home":
            raise Refused("invalid_arguments", errors=["view: no home"])
        shown = self._shown_view(arguments["view"])
        self.published.setdefault(arguments["user_id"], []).append(arguments["view"])
        return shown

    def _shown_view(self, view: Json) -> Json:
        errors = view_errors(view)
        if errors:
            self.refusals += errors
            raise Refused("invalid_arguments", errors=errors)
        self.views.append(view)
        return {"view": {"id": f"V{len(self.views)}"}}
