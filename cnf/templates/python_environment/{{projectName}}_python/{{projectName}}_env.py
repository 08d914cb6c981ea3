"""A corridor: P is the player, G the goal. It has the methods of Gymnasium, but needs nothing installed."""
import random


class {{className}}:
    instruction = 'You are P. Walk Left or Right to G.'  # told once
    action_names = ['Left', 'Right']

    class action_space:
        n = 2  # actions are numbers; the agent writes their names

    def __init__(self, cells=4):  # as `options` of the YAML say
        self.cells = cells

    def reset(self, seed=None):
        """Begins anew. All that is random comes from the seed: equal seeds must give equal episodes."""
        distance = random.Random(seed).randint(1, 2 * self.cells)
        self.goal = distance if distance <= self.cells else self.cells - distance  # cells to the right
        self.steps = 0
        return self.text(), {'expert': self.way()}

    def step(self, action):
        """The observation, the reward, whether the goal is reached, whether it is too late, and numbers by name."""
        self.goal += 1 if action == 0 else -1
        self.steps += 1
        success = self.goal == 0
        info = {'success': success, 'expert': self.way()}
        return self.text(), float(success), success, self.steps >= 30, info

    def way(self):
        return None if self.goal == 0 else 'Left' if self.goal < 0 else 'Right'

    def text(self):
        return 'G' + '_' * -self.goal + 'P' if self.goal < 0 else 'P' + '_' * self.goal + 'G'
