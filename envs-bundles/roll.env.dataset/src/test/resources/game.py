"""As TRL's users write tools and environments."""
import os
import time
from typing import Literal


def add(a: int, b: int) -> int:
    """
    Adds two
    numbers.

    Args:
        a: The first,
            an integer.
        b: The second (choices: [1, 2])

    Returns:
        Their sum.
    """
    return a + b


async def fails(how: Literal['raise', 'exit'], more: list[str] | None = None):
    """Fails.

    Args:
        how: As named.
        more: Not read.
    """
    if how == 'exit':
        raise SystemExit(3)
    raise ValueError("it's wrong")


def hangs(seconds: float) -> str:
    """Waits.

    Args:
        seconds: Time.
    """
    try:
        time.sleep(seconds)
    except Exception:
        time.sleep(seconds)
    return 'late'


def dies():
    """Ends the process."""
    os._exit(5)


def blocks():
    """Does not end in time."""
    import signal
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGALRM})
    time.sleep(1000)


def picture():
    """Shows."""
    return [{'type': 'text', 'text': 'a'}, {'type': 'image', 'image': 'b'}]


class Counter:
    def __init__(self):
        self.count, self.lock, self.calls = None, object(), 0

    def reset(self, start, **kwargs):
        assert kwargs['question'] and 'start' not in kwargs
        self.count = start
        return f' Begin at {start}.' if start else None

    def up(self, by: int) -> str:
        """Counts.

        Args:
            by: Step.
        """
        self.calls += 1
        self.count += by
        return f'now {self.count}'

    def _hidden(self):
        pass

    async def get_reward(self):
        return self.count / 10


class Silent:
    def reset(self, **kwargs):
        return [{'type': 'text', 'text': ' Silent.'}]

    def wait(self):
        """Waits."""
        return {'waited': True}


class Slotted:
    __slots__ = ('count',)

    def reset(self, **kwargs):
        self.count = 0

    def up(self):
        """Counts."""
        self.count += 1
        return self.count


class Nested(Silent):
    def reset(self, **kwargs):
        self.count, self.deep = 1, []
        for _ in range(100000):
            self.deep = [self.deep]


class Unprepared:
    def up(self):
        """Counts."""


class Demanding:
    def __init__(self, size):
        self.size = size


class Idle:
    def reset(self, **kwargs):
        pass


def no_docstring(a: int):
    return a


def no_hint(a):
    """Does.

    Args:
        a: It.
    """


def no_description(a: int):
    """Does."""
