"""Questions that the demo data can answer, and what the words of its business mean."""

from pathlib import Path

QUESTIONS = (
    "top 5 products by revenue in 2024",
    "monthly revenue by region in 2025",
    "average order total by channel",
    "how many support tickets were opened each month in 2025",
)
EVALUATION = Path(__file__).with_name("questions.yaml")
DEFINITIONS = Path(__file__).with_name("definitions.yaml")
