"""Public names of murmurate.classroom, imported at first use."""

from .codes import TaskResult as TaskResult
from .codes import check_code as check_code
from .task import Task as Task
from .task import load_task as load_task
