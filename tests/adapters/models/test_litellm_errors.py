import pytest

from adapters.models.litellm_errors import error_from
from adapters.models.openai_errors import Place
from core.domain.errors import ModelBusy, ModelError, ModelRefused, ModelUnreachable

PLACE = Place("anthropic/m", "anthropic", "sk-very-secret-1234")


class VendorSaid(Exception):
    """Looks like what litellm raises."""

    def __init__(self, words: str, status: int | None = None) -> None:
        super().__init__(words)
        if status is not None:
            self.status_code = status


@pytest.mark.parametrize(
    ("error", "kind", "says"),
    [
        (KeyError("choices"), ModelUnreachable, "could not speak to anthropic (KeyError"),
        (VendorSaid(""), ModelUnreachable, "could not speak to anthropic (VendorSaid)."),
        (VendorSaid("litellm.Timeout: slow", 408), ModelUnreachable, "gave up waiting"),
        (VendorSaid("litellm.X: XError: too much", 429), ModelBusy, "is busy"),
        (VendorSaid("Error: Connection error.", 500), ModelUnreachable, "takes no connection"),
        (
            VendorSaid("litellm.InternalServerError: InternalServerError: XException - oom", 500),
            ModelUnreachable,
            "anthropic has an error of its own (status 500): oom.",
        ),
        (VendorSaid("invalid x-api-key sk-very-secret-1234", 401), ModelRefused, "valid api_key"),
    ],
)
def test_whatever_litellm_raises_is_sorted(error: Exception, kind: type[ModelError], says: str):
    sorted_error = error_from(error, PLACE)

    assert type(sorted_error) is kind
    assert says in str(sorted_error)
    assert "sk-very" not in str(sorted_error)


def test_a_trace_is_not_passed_on():
    error = VendorSaid("it broke\nTraceback (most recent call last):\n  File x", 500)

    assert str(error_from(error, PLACE)).endswith("(status 500): it broke.")
