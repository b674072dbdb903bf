"""The same turn by LangGraph's agent, the fastest asyncio peer; runs in an environment of its own.

`python langgraph_turns.py URL TURNS AT_ONCE` prints the turns a second. Nothing is imported from
the product, so that neither's dependencies bind the other's.
"""

import asyncio
import sys
import time

from langchain.agents import create_agent
from langchain_core.tools import tool
from langchain_openai import ChatOpenAI

RESULT = '{"columns":["count"],"rows":[[0],[1],[2],[3],[4],[5],[6],[7],[8],[9]]}'


@tool
async def list_tables() -> str:
    """List the tables of the connection."""
    return RESULT


@tool
async def get_schema(tables: list[str]) -> str:
    """Show the columns of tables."""
    return RESULT


@tool
async def run_query(sql: str) -> str:
    """Run one SELECT and return its rows."""
    return RESULT


async def main(url: str, turns: int, at_once: int) -> float:
    model = ChatOpenAI(base_url=url, api_key="none", model="m", streaming=True, max_retries=0)
    agent = create_agent(model, [list_tables, get_schema, run_query])
    places = asyncio.Semaphore(at_once)

    async def turn() -> None:
        async with places:
            question = {"messages": [{"role": "user", "content": "How many orders are there?"}]}
            async for _ in agent.astream(question, stream_mode="messages"):
                pass

    await asyncio.gather(*(turn() for _ in range(min(turns, at_once))))
    started = time.perf_counter()
    await asyncio.gather(*(turn() for _ in range(turns)))
    return turns / (time.perf_counter() - started)


if __name__ == "__main__":
    address, how_many, side_by_side = sys.argv[1:]
    sys.stdout.write(f"{asyncio.run(main(address, int(how_many), int(side_by_side)))}\n")
