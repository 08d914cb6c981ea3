"""As verl's users write them."""
import re


def compute_score(data_source, solution_str, ground_truth, extra_info=None, scale=1.0):
    print('scoring')  # goes into the log, not between the answers
    if solution_str == 'raise':
        raise ValueError('no score for that')
    found = re.search(r'#### (\S+)', solution_str)
    return scale if found and found.group(1) == str(ground_truth) else 0.0


def with_details(data_source, solution_str, ground_truth, extra_info=None):
    return {'score': 0.5, 'acc': True, 'turns': extra_info['num_turns'], 'pred': solution_str,
            'source': data_source == 'gsm8k', 'difficulty': extra_info.get('difficulty', -1)}
