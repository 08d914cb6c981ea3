"""A frozen lake as a Python class: copy it, change it, and name it in `gym: module:Class`.

It has the methods of Gymnasium, but needs nothing installed. reset() is a function of its seed.
"""
import random


class Lake:
    instruction = ''  # told once, before the first observation
    action_names = ['Left', 'Down', 'Right', 'Up']

    class action_space:
        n = 4  # numbers 0 to 3, which the agent writes by their names

    def __init__(self, size=4, ice=0.8, penalty=-0.05):
        self.size, self.ice, self.penalty = size, ice, penalty

    def reset(self, seed=None):
        draw = random.Random(seed)
        cells = range(self.size ** 2)
        while True:
            self.holes = {cell for cell in cells if draw.random() > self.ice}
            self.player, self.goal = draw.sample(cells, 2)
            self.holes -= {self.player, self.goal}
            if self.way(self.player) is not None:
                return self.text(), {'expert': self.way(self.player)}

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
