"""A frozen lake as a Python class: copy it, change it, and name it in `gym: module:Class`.

It has the methods of Gymnasium, but needs nothing installed. reset() is a function of its seed, and of whether the episode
is of training or of validation: a digest of a lake says which of the two plays it, so that none is played by both.
"""
import random
import zlib


class Lake:
    instruction = ''  # told once, before the first observation
    action_names = ['Left', 'Down', 'Right', 'Up']

    class action_space:
        n = 4  # numbers 0 to 3, which the agent writes by their names

    def __init__(self, size=4, ice=0.8, penalty=-0.05, val_share=0):
        self.size, self.ice, self.penalty, self.val_share = size, ice, penalty, val_share

    def reset(self, seed=None, purpose='train'):  # or 'val', 'greedy'
        draw = random.Random(seed)
        cells = range(self.size ** 2)
        while True:
            self.holes = {cell for cell in cells if draw.random() > self.ice}
            self.player, self.goal = draw.sample(cells, 2)
            self.holes -= {self.player, self.goal}
            if self.way(self.player) is not None and self.is_for(purpose):
                return self.text(), {'expert': self.way(self.player)}

    def is_for(self, purpose):
        digest = zlib.crc32(self.text().encode())
        return self.val_share == 0 or (purpose == 'val') == (digest < self.val_share * 2 ** 32)

    def step(self, action):
        before, self.player = self.player, self.near(self.player, action)
        success = self.player == self.goal
        over = success or self.player in self.holes
        info = {'success': success, 'expert': None if over else self.way(self.player)}
        return self.text(), float(success) or self.penalty * (self.player == before), over, False, info

    def near(self, cell, action):
        row, column = divmod(cell, self.size)
        row += (action == 1) - (action == 3)
        column += (action == 2) - (action == 0)
        inside = 0 <= row < self.size and 0 <= column < self.size
        return row * self.size + column if inside else cell

    def way(self, start):
        """The first move of a shortest way from a cell to the goal, or None."""
        seen, queue = {self.goal}, [self.goal]
        for cell in queue:
            for action in range(4):
                next = self.near(cell, action)
                if next == start and next != cell:
                    return self.action_names[(action + 2) % 4]
                if next not in seen and next not in self.holes:
                    seen.add(next)
                    queue.append(next)

    def text(self):
        def symbol(cell):
            if cell == self.player:
                return 'X' if cell in self.holes else '√' if cell == self.goal else 'P'
            return 'O' if cell in self.holes else 'G' if cell == self.goal else '_'
        rows = [range(row * self.size, (row + 1) * self.size) for row in range(self.size)]
        return '\n'.join(''.join(map(symbol, row)) for row in rows)
