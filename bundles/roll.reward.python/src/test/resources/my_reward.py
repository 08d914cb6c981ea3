"""As verl's users write them."""
import re
import subprocess

print('loading')  # goes into the log, as what a child prints does
subprocess.run(['echo', 'a child of the file that is loaded'], check=True)


def compute_score(data_source, solution_str, ground_truth, extra_info=None, scale=1.0):
    print('scoring')  # goes into the log, not between the answers
    if solution_str == 'raise':
        raise ValueError('no score for that')
    found = re.search(r'#### (\S+)', solution_str)
    return scale if found and found.group(1) == str(ground_truth) else 0.0


def with_details(data_source, solution_str, ground_truth, extra_info=None):
    return {'score': 0.5, 'acc': True, 'turns': extra_info['num_turns'], 'pred': solution_str,
            'source': data_source == 'gsm8k', 'difficulty': extra_info.get('difficulty', -1)}


async def waits(data_source, solution_str, ground_truth, extra_info=None):
    import asyncio
    await asyncio.sleep(0)
    return 1.0 if ground_truth in solution_str else 0.0


def of_trl(completions, level, **kwargs):
    assert len(completions) == len(level) == len(kwargs['prompts']) == len(kwargs['ground_truth']) == 1, kwargs
    if level[0] == 'none':
        return [None]
    text = completions[0][0]['content'] if isinstance(completions[0], list) else completions[0]
    return [float(kwargs['ground_truth'][0] in text) * float(level[0])]


async def of_trl_waits(prompts, completions, answer):
    return [float(completions[0] == answer[0]) + len(prompts[0]) / 100]


class Counter:
    def __init__(self, demanding):
        raise RuntimeError('made twice')

    def doubled(self):
        return 2 * self.count


def of_environments(completions, environments):
    return [environments[0].count]


def of_methods(completions, environments, **kwargs):
    return [environments[0].doubled()]


def two_scores(completions, **kwargs):
    return [1.0, 2.0]


def whole_batches(data_sources, solution_strs, ground_truths, extra_infos=None):
    return [0.0]


def others(predictions, references):
    return 0.0


def ends(data_source, solution_str, ground_truth, extra_info=None):
    import sys
    sys.exit(int(solution_str))


def nothing_at_all(data_source, solution_str, ground_truth, extra_info=None):
    return None


def no_score(data_source, solution_str, ground_truth, extra_info=None):
    return {'acc': 1}


def odd_details(data_source, solution_str, ground_truth, extra_info=None):
    return {'score': 1, 'acc': True, 'nan': float('nan'), 'list': [1, 2], 'none': None, 'text': '1', 'huge': 10 ** 400}


def dies(data_source, solution_str, ground_truth, extra_info=None):
    import os
    if solution_str == 'dies':
        os._exit(5)
    return 1.0


def hangs(data_source, solution_str, ground_truth, extra_info=None):
    while solution_str == 'hangs':
        pass
    return 1.0
