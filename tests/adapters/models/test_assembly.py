import pytest

from adapters.models.assembly import Assembly
from core.domain.answer import Usage
from core.domain.chat import ChatReply, Json
from core.domain.errors import ModelUnreachable


def test_joins_calls_whose_pieces_come_mixed():
    reply = reply_from(
        calls(call(0, "a", "first", '{"x"'), call(1, "b", "second", '{"y"')),
        calls(call(1, arguments=": 2}")),
        calls(call(0, arguments=": 1}")),
    )

    assert named(reply) == [("a", "first", '{"x": 1}'), ("b", "second", '{"y": 2}')]


def test_takes_a_server_that_repeats_id_and_name():
    reply = reply_from(calls(call(0, "a", "first", '{"x"')), calls(call(0, "a", "first", ": 1}")))

    assert named(reply) == [("a", "first", '{"x": 1}')]


def test_takes_a_server_that_makes_up_a_new_id_for_every_piece():
    reply = reply_from(calls(call(0, "a", "first", '{"x"')), calls(call(0, "b", None, ": 1}")))

    assert named(reply) == [("a", "first", '{"x": 1}')]


def test_takes_a_server_that_gives_every_call_the_index_zero():
    reply = reply_from(
        calls(call(0, "a", "first", '{"x": 1}')), calls(call(0, "b", "first", '{"x": 2}'))
    )

    assert named(reply) == [("a", "first", '{"x": 1}'), ("b", "first", '{"x": 2}')]


def test_takes_calls_without_an_index():
    reply = reply_from(
        calls(call(None, "a", "first", '{"x"'), call(None, "b", "second", "{}")),
        calls(call(None, "a", None, ": 1}")),
    )

    assert named(reply) == [("a", "first", '{"x": 1}'), ("b", "second", "{}")]


def test_takes_calls_with_neither_an_index_nor_an_id():
    reply = reply_from(
        calls(call(None, None, "first", '{"x": 1}'), call(None, None, "first", '{"x"')),
        calls(call(None, arguments=": 2}")),
    )

    assert [(c.name, c.arguments) for c in reply.tool_calls] == [
        ("first", '{"x": 1}'),
        ("first", '{"x": 2}'),
    ]
    assert len({c.id for c in reply.tool_calls}) == 2


def test_takes_a_server_that_gives_nothing_but_the_name_again_and_again():
    reply = reply_from(
        calls(call(None, None, "first", '{"x"')), calls(call(None, None, "first", ": 1}"))
    )

    assert [(c.name, c.arguments) for c in reply.tool_calls] == [("first", '{"x": 1}')]


def test_gives_every_call_an_id_of_its_own():
    reply = reply_from(
        calls(call(0, "same", "first", "{}"), call(1, "same", "second", "{}")),
        calls(call(2, None, "third", "{}")),
    )

    ids = [c.id for c in reply.tool_calls]
    assert ids[0] == "same"
    assert len(set(ids)) == 3
    assert all(ids)


def test_writes_arguments_that_come_as_an_object():
    reply = reply_from(calls(call(0, "a", "first", {"x": [1, "ü"]})))

    assert reply.tool_calls[0].arguments == '{"x":[1,"ü"]}'


def test_a_call_may_have_no_arguments():
    reply = reply_from(calls(call(0, "a", "first", None)))

    assert reply.tool_calls[0].arguments == ""


def test_a_call_without_a_name_is_not_of_the_protocol():
    with pytest.raises(ModelUnreachable, match="a tool call has no name"):
        reply_from(calls(call(0, "a", None, "{}")))


def test_the_calls_of_a_whole_answer_are_told_apart_by_their_place():
    assembly = Assembly(host="h", model="m")
    given: list[Json] = [call(None, None, "first", '{"x"'), call(None, None, "first", "{}")]

    assembly.take_whole({"choices": [{"message": {"content": None, "tool_calls": given}}]})

    assert [c.arguments for c in assembly.reply(priced).tool_calls] == ['{"x"', "{}"]


def test_an_answer_that_a_server_gave_up_on_is_unreachable():
    assembly = Assembly(host="h", model="m")
    assembly.take({"choices": [{"delta": {"content": "x"}, "finish_reason": "error"}]})

    with pytest.raises(ModelUnreachable, match="with an error"):
        assembly.reply(priced)


def test_takes_text_in_parts_and_leaves_thinking_out():
    reply = reply_from(
        {"content": [{"type": "thinking", "text": "Hm."}, {"type": "text", "text": "One."}]},
        {"reasoning_content": "Hm.", "content": None},
    )

    assert reply.text == "One."


def test_a_refusal_in_words_is_the_text():
    assert reply_from({"refusal": "I can"}, {"refusal": "not."}).text == "I cannot."


def test_the_last_count_of_tokens_is_the_one_that_holds():
    assembly = Assembly(host="h", model="m")

    for tokens in (1, 2, 3):
        assembly.take(
            {
                "choices": [{"delta": {"content": "x"}}],
                "usage": {
                    "prompt_tokens": 9,
                    "completion_tokens": tokens,
                    "prompt_tokens_details": {"cached_tokens": 4},
                },
            }
        )

    assert assembly.reply(priced).usage == Usage(input_tokens=9, output_tokens=3, usd=4.0)


@pytest.mark.parametrize("odd", [None, "many", {}, -3, True, {"prompt_tokens": "9"}, []])
def test_a_count_that_is_none_counts_nothing(odd: Json):
    assembly = Assembly(host="h", model="m")

    assembly.take({"choices": [{"delta": {"content": "x"}}], "usage": odd})

    assert assembly.reply(priced).usage == Usage()


@pytest.mark.parametrize("chunk", [{}, {"choices": []}, {"choices": None}, {"id": "x"}])
def test_a_chunk_without_a_choice_adds_nothing(chunk: dict[str, Json]):
    assembly = Assembly(host="h", model="m")

    assert assembly.take(chunk) == ""
    assert not assembly.has_spoken


@pytest.mark.parametrize("choice", [{}, {"delta": None}, {"delta": {}}, {"delta": {"content": 3}}])
def test_a_choice_without_text_adds_none(choice: dict[str, Json]):
    assembly = Assembly(host="h", model="m")

    assert assembly.take({"choices": [choice]}) == ""


def test_half_a_character_at_the_end_is_dropped():
    reply = reply_from({"content": "a\ud83d"})

    assert reply.text == "a"


def test_half_a_character_alone_is_replaced():
    reply = reply_from(
        {"content": "a\ude42b"},
        calls(
            call(0, "a", "f", '"\ud83d'),
        ),
    )

    assert reply.text == "a\ufffdb"
    assert reply.tool_calls[0].arguments == '"\ufffd'


def reply_from(*deltas: dict[str, Json]) -> ChatReply:
    assembly = Assembly(host="h", model="m")
    texts = [assembly.take({"choices": [{"delta": delta}]}) for delta in deltas]
    reply = assembly.reply(priced)
    assert reply.text == "".join(texts)
    return reply


def calls(*given: Json) -> dict[str, Json]:
    return {"tool_calls": list(given)}


def call(
    index: int | None, id_: str | None = None, name: str | None = None, arguments: Json = None
) -> Json:
    function: dict[str, Json] = {"name": name, "arguments": arguments}
    given: dict[str, Json] = {"index": index, "id": id_, "function": function}
    return {key: value for key, value in given.items() if value is not None}


def named(reply: ChatReply) -> list[tuple[str, str, str]]:
    return [(c.id, c.name, c.arguments) for c in reply.tool_calls]


def priced(prompt: int, completion: int, cached: int) -> Usage:
    return Usage(input_tokens=prompt, output_tokens=completion, usd=float(cached))
