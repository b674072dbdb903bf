"""Every model that is set, opened once and joined to chains: the default one and those by name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from adapters.models.chain import FallbackChain, Link
from adapters.models.offline.analyst import OfflineAnalyst
from adapters.models.opening import OpenedModel, open_model
from bot.settings import OFFLINE, AnyModelSettings, OfflineSettings, Settings
from core.ports.chat_model import ChatModel
from core.ports.clock import Clock

Opened = OpenedModel | OfflineAnalyst


@dataclass(frozen=True, slots=True, kw_only=True)
class Models:
    """`by_name` may be asked for by a person, `by_family` answer kinds of questions.

    Each of them is followed by the fallbacks of the default one. `last_resort` answers where all
    of a chain fail, unless that is not wanted.
    """

    default: ChatModel
    by_name: Mapping[str, ChatModel]
    by_family: Mapping[str, ChatModel]
    opened: tuple[Opened, ...]
    last_resort: ChatModel | None = None

    async def warm(self) -> None:
        """Do early what the first request would wait for."""
        for model in self.opened:
            await model.warm()

    async def close(self) -> None:
        for model in self.opened:
            await model.close()


def open_models(settings: Settings, clock: Clock) -> Models:
    """Open what is set; nothing is sent.

    Raises:
        SettingsInvalid: a provider is not installed.
    """
    main = _open(settings.model)
    named = {name: _open(each) for name, each in settings.models.items()}
    if not isinstance(main, OfflineAnalyst):
        named.setdefault(OFFLINE, OfflineAnalyst())
    known = {**named, OFFLINE: named.get(OFFLINE, main)}
    links = {id(model): Link(model) for model in (main, *known.values())}
    fallbacks = [links[id(known[name])] for name in settings.model.fallbacks]

    def chain(first: Opened) -> ChatModel:
        return _chain((links[id(first)], *fallbacks), settings, clock)

    chains = {name: chain(each) for name, each in known.items()}
    return Models(
        default=chain(main),
        by_name=MappingProxyType(chains),
        by_family=MappingProxyType(
            {family: chains[name] for family, name in settings.models_by_family.items()}
        ),
        last_resort=known[OFFLINE] if settings.model.offline_when_down else None,
        opened=tuple({id(each): each for each in (main, *named.values())}.values()),
    )


def _chain(links: Sequence[Link], settings: Settings, clock: Clock) -> ChatModel:
    first = links[0].model
    others = [link for link in links[1:] if link is not links[0]]
    if not others or isinstance(first, OfflineAnalyst):
        return first  # the offline analyst always answers
    return FallbackChain(
        [links[0], *others],
        clock=clock,
        rest_seconds=settings.model.rest_seconds,
        seconds=settings.model.search_seconds,
    )


def _open(settings: AnyModelSettings) -> Opened:
    match settings:
        case OfflineSettings():
            return OfflineAnalyst()
        case chosen:
            return open_model(chosen)
