"""The numbers that steer a run."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentConfig:
    """Steps are exchanges with the model; a budget's own steps are the upper bound of them.

    sure: from this confidence on nobody is asked back
    extra_report_steps: a report may take so many more steps than the budget says
    task_steps, tasks_at_once: steps of one task of a plan, and how many tasks run together
    task_result_chars: how much of a task's result the tasks after it and the answer read
    guided_steps: steps where the reader wants to be led one by one
    most_messages, most_tokens: what a conversation may hold; above the tokens it must answer
    calls_a_step, calls_at_once: tool calls taken of one reply, and how many of them run together
    repeats_borne: steps of nothing but repeated or failing calls, the same as in the step before,
        until an answer is asked for
    rejections_borne: rejected queries in a row, before the model is told to stop; one more ends it
    model_tries, model_wait_seconds: attempts at one exchange, and all the waiting between them
    model_seconds: how long one attempt may take until its first word, and after any other
    argument_chars: more than a model writes at once; a statement of that length is long to read
    decision_hours: how long a question back stays open
    """

    sure: float = 0.85
    extra_report_steps: int = 5
    guided_steps: int = 5
    task_steps: int = 6
    tasks_at_once: int = 3
    task_result_chars: int = 3_000
    plan_seconds: float = 45.0
    most_messages: int = 40
    most_tokens: int = 50_000
    recheck_every: int = 3
    calls_a_step: int = 16
    calls_at_once: int = 6
    repeats_borne: int = 2
    rejections_borne: int = 3
    tool_retries: int = 2
    tool_wait_seconds: float = 0.5
    model_tries: int = 5
    model_wait_seconds: float = 60.0
    first_wait_seconds: float = 1.0
    longest_wait_seconds: float = 20.0
    model_seconds: float = 120.0
    intent_seconds: float = 15.0
    argument_chars: int = 40_000
    answer_chars: int = 20_000
    question_chars: int = 8_000
    remembered_answer_chars: int = 2_000
    remembered_sql_chars: int = 4_000
    result_chars: int = 12_000
    tables_in_prompt: int = 8
    table_chars: int = 6_000
    decision_hours: float = 24.0
