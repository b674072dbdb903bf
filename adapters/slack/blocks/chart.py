"""A chart that Slack draws itself, where its shape fits into what Slack takes."""

from collections.abc import Sequence

from adapters.slack import limits
from adapters.slack.cells import label
from adapters.slack.text import cut
from adapters.slack.wire import Object
from core.domain.answer import ChartFigures, ShownChart


def native_chart(chart: ShownChart) -> Object | None:
    """Return Slack's own chart; None where it would be too large or its labels too long."""
    figures = chart.figures
    if figures is None or not _fits(figures):
        return None
    categories = [label(each) for each in figures.categories]
    return {
        "type": "data_visualization",
        "title": cut(" ".join(chart.title.split()), limits.CHART_TITLE) or "Chart",
        "chart": {
            "type": figures.kind,
            "series": [
                {
                    "name": each.name,
                    "data": [
                        {"label": category, "value": value}
                        for category, value in zip(categories, each.values, strict=True)
                    ],
                }
                for each in figures.series
            ],
            "axis_config": {
                "categories": list(categories),
                **_axis("x_label", figures.x),
                **_axis("y_label", figures.y),
            },
        },
    }


def _axis(key: str, name: str) -> Object:
    shown = cut(name, limits.CHART_AXIS)
    return {key: shown} if shown else {}


def _fits(figures: ChartFigures) -> bool:
    """Say whether Slack takes it as it is: a label that is cut could be another's."""
    names = [each.name for each in figures.series]
    categories = [label(each) for each in figures.categories]
    return (
        len(categories) <= limits.CHART_CATEGORIES
        and len(names) <= limits.CHART_SERIES
        and _are_labels(categories)
        and _are_labels(names)
    )


def _are_labels(texts: Sequence[str]) -> bool:
    return len(set(texts)) == len(texts) and all(
        0 < len(each) <= limits.CHART_LABEL for each in texts
    )
