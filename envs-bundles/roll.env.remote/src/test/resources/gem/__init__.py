"""In place of GEM: two worlds that draw from the generator of the process, as GEM's do."""
import random


class Dice:
    """Every response gets a number sampled at that time."""

    def __init__(self, sides=6):
        self.sides = sides

    def reset(self, seed):
        if not 0 <= seed < 1 << 32:
            raise ValueError('Seed must be between 0 and 2**32 - 1')
        random.seed(seed)
        return str(random.randint(1, self.sides)), {'suffix': 'Throw.'}

    def step(self, action):
        return str(random.randint(1, self.sides)), 0.0, False, False, {'suffix': 'Throw again.'}


class Quiz:
    """A data set of its own seed, that is another one after two questions."""

    def __init__(self, seed=42):
        self.seed, self.asked = seed, 0

    def reset(self, seed):
        random.seed(seed)
        self.asked += 1
        return f'{random.random()} of {self.seed + self.asked // 2}', {}

    def step(self, action):
        return '', 1.0, True, True, {}


def make(name, **options):
    return {'game:Dice': Dice, 'rg:Quiz': Quiz}[name](**options)
