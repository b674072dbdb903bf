from pathlib import Path

from tests.kit.slack_server import slack_server
from tests.kit.slack_storm import Size, Storm


async def test_many_questions_at_once_get_one_answer_each(tmp_path: Path):
    async with slack_server() as slack:
        storm = Storm(tmp_path, slack, Size(questions=30, threads=9, people=10))
        await storm.rage()

        assert list(storm.faults()) == []
        assert len(storm.asked) == 30
