"""A class with Gymnasium's methods whose observations are pictures: arrays as numpy has them, of the methods that are used."""


class Part:
    def __init__(self, rows):
        self.rows = rows

    def tobytes(self):
        return bytes(value for pixel in self.rows for value in pixel)


class Array:
    ndim, dtype = 3, 'uint8'

    def __init__(self, rows):
        self.rows = rows
        self.shape = len(rows), len(rows[0]), len(rows[0][0])

    def __getitem__(self, key):
        row, columns, colors = key
        return Part([pixel[colors] for pixel in self.rows[row][columns]])

    def tolist(self):
        return self.rows


class Corridor:
    """A red player on its way to the right; with `channels` of four colors or of one."""
    instruction = 'Walk to the right.'
    action_names = ['Left', 'Right']

    class action_space:
        n = 2

    def __init__(self, length=3, channels=3):
        self.length, self.channels = length, channels

    def reset(self, seed=None, options=None):
        self.place = 0
        return self.render(), {}

    def step(self, action):
        self.place = max(0, self.place + (1 if action else -1))
        over = self.place == self.length - 1
        return self.render(), float(over), over, False, {'is_success': over}

    def render(self):
        colors = [[255, 0, 7, 9], [0, 0, 0, 0]]
        return Array([[colors[x != self.place][:self.channels] for x in range(self.length)] for _ in range(2)])
