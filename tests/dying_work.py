"""Work that kills its worker, or fails; workers import this file, so that it imports little."""

import os
import signal
import threading


def die_once(task):
    """Kill this very process at the first task that finds no mark on disk."""
    number, mark = task
    if number == 3 and not mark.exists():
        mark.write_text("")
        os.kill(os.getpid(), signal.SIGKILL)
    return number, b""


def die_while_handing_over(task):
    """Much is handed over, and the process dies in the middle of it, most of the time."""
    number, mark = task
    if number == 3 and not mark.exists():
        mark.write_text("")
        threading.Timer(0.05, os.kill, [os.getpid(), signal.SIGKILL]).start()
    return number, bytes(50_000_000 if number == 3 else 10)


def die_always(task):
    os.kill(os.getpid(), signal.SIGKILL)


class TwoWordsError(Exception):
    """An error that is pickled, but not made again from its one argument."""

    def __init__(self, first, second):
        super().__init__(f"{first} {second}")


def fail_from_3_on(task):
    if task >= 3:
        raise TwoWordsError("number", task)
    return task
