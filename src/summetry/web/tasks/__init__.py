"""What people can be asked to do; a task is one file here and one template.

``TASKS`` lists them. A task knows its items, reads its form, says what is missing, and turns what
was submitted into records of the corpus; saving, undoing, versions, order and time are the same
for all and live in ``routes/work.py`` and ``store/answers.py``.
"""

from summetry.web.tasks._base import BadFormError, Item, Task, Work, unit_words, whole_numbers
from summetry.web.tasks.category import CategoryTask
from summetry.web.tasks.coverage import CoverageTask
from summetry.web.tasks.extract import ExtractTask
from summetry.web.tasks.judgment import JudgmentTask
from summetry.web.tasks.pairs import PairsTask
from summetry.web.tasks.questions import QuestionsTask
from summetry.web.tasks.unit_marks import UnitMarksTask
from summetry.web.tasks.units import UnitsTask
from summetry.web.tasks.utility import UtilityTask

_ALL: tuple[Task, ...] = (
    ExtractTask(),
    JudgmentTask(),
    PairsTask(),
    UtilityTask(),
    UnitsTask(),
    UnitMarksTask(),
    CoverageTask(),
    QuestionsTask(),
    CategoryTask(),
)
TASKS: dict[str, Task] = {task.name: task for task in _ALL}

__all__ = ["TASKS", "BadFormError", "Item", "Task", "Work", "unit_words", "whole_numbers"]
