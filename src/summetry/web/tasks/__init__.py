"""What people can be asked to do; a task is one file here and one template.

``TASKS`` lists them. A task knows its items, reads its form, says what is missing, and turns what
was submitted into records of the corpus; saving, undoing, versions, order and time are the same
for all and live in ``routes/work.py`` and ``store/answers.py``.
"""

from summetry.web.tasks._base import BadFormError, Item, Task, Work, whole_numbers
from summetry.web.tasks.extract import ExtractTask

TASKS: dict[str, Task] = {task.name: task for task in (ExtractTask(),)}

__all__ = ["TASKS", "BadFormError", "Item", "Task", "Work", "whole_numbers"]
