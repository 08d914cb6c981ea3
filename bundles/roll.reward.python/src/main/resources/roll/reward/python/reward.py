import asyncio
import importlib.util
import inspect

path, name = sys.argv[1:3]
sys.path.insert(0, os.path.dirname(os.path.abspath(path)))  # modules beside the file
spec = importlib.util.spec_from_file_location('custom_reward', path)
module = importlib.util.module_from_spec(spec)
sys.modules['custom_reward'] = module
spec.loader.exec_module(module)
function = getattr(module, name, None)
if not callable(function):
    sys.exit(f'{path} has no function {name}')
loop = asyncio.new_event_loop()
asyncio.set_event_loop(loop)
keywords = {}
VERL = ('data_source', 'solution_str', 'ground_truth', 'extra_info')
TRL = ('prompts', 'completions', 'completion_ids', 'trainer_state', 'log_extra', 'log_metric')
parameters = inspect.signature(function).parameters
of_trl = 'completions' in parameters
named = [p for p in parameters.values() if p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)]


def described():
    """How the function is called, or why it cannot be: found out before anything is played."""
    shown = f'{name}{inspect.signature(function)} of {path}'
    if 'solution_strs' in parameters:
        raise TypeError(f'{shown} scores whole batches: it must score one response, as solution_str')
    if of_trl:
        given = {*TRL, *keywords}
        return {'trl': True, 'needs': [p.name for p in named if p.default is p.empty and p.name not in given]}
    try:
        inspect.signature(function).bind(**dict.fromkeys([*VERL, *keywords]))
    except TypeError as error:
        raise TypeError(f"{shown} takes neither verl's arguments ({', '.join(VERL)}) nor TRL's (completions, **kwargs): {error}") from None
    return {'trl': False}


def by_trl(request):
    """Lists of one, as the trainer of TRL calls it: a conversation where the prompt is one, else texts."""
    text, row = request['solution_str'], request['row']
    talk = isinstance(row.get('prompt'), list)
    told = {'ground_truth': request['ground_truth'], **row}
    told.pop('prompt', None)
    lists = {key: [value] for key, value in told.items()}
    lists['prompts'] = [row['prompt'] if talk else request['prompt']]
    lists['completions'] = [[{'role': 'assistant', 'content': text}] if talk else text]
    lists.update(completion_ids=[request['tokens']], trainer_state=None, log_extra=None, log_metric=None, **keywords)
    if not any(p.kind is p.VAR_KEYWORD for p in parameters.values()):
        lists = {key: value for key, value in lists.items() if key in parameters}
    return lists


def answer(request):
    if request['op'] == 'describe':
        keywords.update(request['options'])
        return described()
    arguments = by_trl(request) if of_trl else {**{key: request[key] for key in VERL}, **keywords}
    score = function(**arguments)
    if inspect.isawaitable(score):
        score = loop.run_until_complete(score)
    if of_trl:
        if not hasattr(score, '__len__') or len(score) != 1:
            raise TypeError(f'{name} of {path}: expected a list of one score for one completion, found {score!r}')
        score = 0 if score[0] is None else score[0]  # not its task, says TRL
    details = dict(score) if isinstance(score, dict) else {}
    found = details.pop('score', None) if isinstance(score, dict) else score[0] if isinstance(score, (list, tuple)) and score else score
    value = number(found)
    if value is None:
        raise TypeError(f"{name} of {path}: expected a number, or a mapping with a number as 'score', found {score!r:.200}")
    numbers = {key: number(detail) for key, detail in details.items() if not isinstance(detail, str)}
    return {'score': value, 'details': {str(key): detail for key, detail in numbers.items() if detail is not None}}


def number(value):
    """None of what is no single number."""
    try:
        return float(value)
    except (TypeError, ValueError, OverflowError, RuntimeError):  # the last of a tensor
        return None


serve(answer, pause=0)  # what ends the process is then the first request without an answer
