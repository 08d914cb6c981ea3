"""FrozenLake as roll.env.frozen_lake plays it, to the last random number, over the protocol of roll.env.remote."""
import json
import re
import sys

MASK = (1 << 64) - 1
GOLDEN = 0x9E3779B97F4A7C15
NAMES = ['Left', 'Down', 'Right', 'Up']


def mix(z):
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 & MASK
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB & MASK
    return z ^ (z >> 31)


class Random:
    """java.util.SplittableRandom, seeded as RandomStreams.of(root, purpose) is."""

    def __init__(self, root, purpose):
        state = mix((root & MASK) ^ GOLDEN)
        for letter in purpose:
            state = mix(state ^ ord(letter))
        self.state = state

    def next(self):
        self.state = self.state + GOLDEN & MASK
        return self.state

    def double(self):
        return (mix(self.next()) >> 11) * 2.0 ** -53

    def int32(self):
        z = self.next()
        z = (z ^ (z >> 33)) * 0x62A9D9ED799705F5 & MASK
        return ((z ^ (z >> 28)) * 0xCB24D0A5C88C35B3 & MASK) >> 32

    def below(self, bound):
        drawn = self.int32()
        if bound & (bound - 1) == 0:
            return drawn & (bound - 1)
        u = drawn >> 1
        while u + bound - 1 - u % bound >= 1 << 31:
            u = self.int32() >> 1
        return u % bound


class Lake:
    def __init__(self, seed, size=4, p=0.8, is_slippery=True):
        self.size, self.slippery = size, is_slippery
        self.slip = Random(seed, 'roll.env.frozen_lake/slip')
        random = Random(seed, 'roll.env.frozen_lake/map')
        while True:
            cells = size * size
            self.holes = [random.double() >= p for _ in range(cells)]
            self.position = random.below(cells)
            self.goal = random.below(cells - 1)
            self.goal += self.goal >= self.position
            self.holes[self.position] = self.holes[self.goal] = False
            if self.way() >= 0:
                break

    def neighbor(self, cell, direction):
        row, column = divmod(cell, self.size)
        if direction == 0:
            return cell - 1 if column > 0 else cell
        if direction == 1:
            return cell + self.size if row < self.size - 1 else cell
        if direction == 2:
            return cell + 1 if column < self.size - 1 else cell
        return cell - self.size if row > 0 else cell

    def way(self):
        """The first move of a shortest way to the goal, or -1."""
        seen, queue = list(self.holes), [self.goal]
        seen[self.goal] = True
        for cell in queue:
            for direction in range(4):
                near = self.neighbor(cell, direction)
                if not seen[near]:
                    if near == self.position:
                        return (direction + 2) % 4
                    seen[near] = True
                    queue.append(near)
        return -1

    def text(self):
        def symbol(cell):
            here = cell == self.position
            if cell == self.goal:
                return '√' if here else 'G'
            if self.holes[cell]:
                return 'X' if here else 'O'
            return 'P' if here else '_'
        rows = range(0, self.size * self.size, self.size)
        return '\n'.join(''.join(symbol(row + column) for column in range(self.size)) for row in rows)

    def seen(self):
        way = self.way()
        return {'observation': self.text(), 'actions': NAMES, 'expert': NAMES[way] if way >= 0 else None}

    def step(self, response):
        found = re.search('<answer>(.*?)</answer>', response, re.S)
        name = found.group(1).strip().lower() if found else ''
        lower = [each.lower() for each in NAMES]
        valid, before = name in lower, self.position
        if valid:
            action = lower.index(name)
            if self.slippery:
                action = (action + self.slip.below(3) - 1) % 4
            self.position = self.neighbor(before, action)
        success = self.position == self.goal
        metrics = {'action_is_effective': self.position != before, 'action_is_valid': valid, 'success': success,
                   'format_penalty': 0}
        return {**self.seen(), 'reward': float(success), 'terminated': success or self.holes[self.position],
                'truncated': False, 'metrics': metrics}


LAKES = {}


def answer(request):
    op, episode = request['op'], request.get('episode')
    if op == 'describe':
        return {'instruction': 'Walk to the goal.', 'respond': '<answer>{action}</answer>',
                'aggregations': {'action_is_effective': 'mean', 'action_is_valid': 'mean', 'success': 'last'}}
    if op == 'reset':
        LAKES[episode] = Lake(request['seed'], **request.get('options', {}))
        return LAKES[episode].seen()
    if op == 'step':
        return LAKES[episode].step(request['action'])
    if op == 'close':
        LAKES.pop(episode, None)
    return {}


if __name__ == '__main__':
    for line in sys.stdin:
        asked = json.loads(line)
        answers = [{**answer(one), 'id': one['id']} for one in (asked if isinstance(asked, list) else [asked])]
        sys.stdout.write(json.dumps(answers) + '\n')
        sys.stdout.flush()
