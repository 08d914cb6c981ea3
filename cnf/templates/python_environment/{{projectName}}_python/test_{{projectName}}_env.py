"""python3 -m unittest discover {{projectName}}_python"""
import unittest

from {{projectName}}_env import {{className}}


class {{className}}Test(unittest.TestCase):
    def test_the_expert_reaches_the_goal(self):
        world = {{className}}()
        for seed in range(50):
            seen, info = world.reset(seed)
            self.assertEqual((seen, info), world.reset(seed))
            terminated = False
            while not terminated:
                action = {{className}}.action_names.index(info['expert'])
                seen, reward, terminated, truncated, info = world.step(action)
                self.assertFalse(truncated)
                self.assertEqual(reward, float(terminated))

    def test_who_walks_away_is_late(self):
        world = {{className}}(cells=1)
        seen, _ = world.reset(seed=1)
        away = 1 if seen.startswith('G') else 0
        steps = [world.step(away) for _ in range(30)]
        self.assertEqual([late for _, _, _, late, _ in steps], 29 * [False] + [True])
