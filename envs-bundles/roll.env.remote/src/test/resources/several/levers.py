"""A class with Gymnasium's methods whose actions are several numbers at once, and that cannot draw."""


class Scalar:
    """A number as numpy has it, which is none of Python's."""
    ndim = 0

    def __init__(self, value):
        self.value = value

    def item(self):
        return self.value


class Levers:
    """Two levers of three places each; both must be up."""

    class action_space:
        shape, nvec, start, dtype = (2,), [3, 3], [0, 0], int

        @staticmethod
        def contains(places):
            return len(places) == 2 and all(0 <= place < 3 for place in places)

    def __init__(self, switches=False):
        if switches:
            self.action_space = type('Switches', (self.action_space,), {'n': 2})

    def reset(self, seed=None, options=None):
        return [0, 0], {}

    def step(self, action):
        assert type(action).__name__ == 'Numbers', action
        up = sum(place == 2 for place in action)
        return list(action), Scalar(up / 2).item(), up == 2, False, {
            'up': Scalar(up), 'is_success': Scalar(up == 2), 'places': action, 'name': 'levers'}

    def render(self):
        raise ImportError('no library that draws')
