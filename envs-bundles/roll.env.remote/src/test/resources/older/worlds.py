"""Classes as other systems have them."""
import random


class Old:
    """Gym before 0.26: reset returns the observation alone, step four values; drawn from random."""

    def reset(self):
        self.number, self.left = random.randrange(1000000), 3
        return f'guess {self.number}'

    def step(self, action):
        self.left -= 1
        return f'{action} {random.randrange(1000000)}', 1.0 if action == 'yes' else 0.0, self.left == 0, {'TimeLimit.truncated': True}


class Seeded(Old):
    """With Gym's own method for seeds."""

    def seed(self, seed=None):
        self.own = random.Random(seed)

    def reset(self):
        return f'guess {self.own.randrange(1000000)}'

    def step(self, action):
        return 'end', float(self.own.randrange(100)), True, {}


class Coroutines:
    """Gymnasium's methods, which wait."""

    async def reset(self, seed=None, options=None):
        self.seen = f'seed {seed % 7}'
        return self.seen, {'facts': {'answer': '5'}}

    async def step(self, action):
        return self.seen, 1.0 if action == '#### 5' else 0.0, True, False, {}


class Tools:
    """For TRL's environment_factory: what it can do is its methods."""

    def reset(self, **kwargs):
        return 'guess a number'

    def guess(self, number: int) -> str:
        """Guesses."""
        return 'too low'


class Demanding:
    """Has a parameter without a value."""

    def reset(self, board, seed=None):
        return board, {}

    def step(self, action):
        return '', 0.0, True, False, {}
