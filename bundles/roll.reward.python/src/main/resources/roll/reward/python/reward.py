import re

VERL = ('data_source', 'solution_str', 'ground_truth', 'extra_info')
TRL = ('prompts', 'completions', 'completion_ids', 'trainer_state', 'log_extra', 'log_metric')
CALL = re.compile(r'<tool_call>\s*(\{.*?\})\s*</tool_call>', re.DOTALL)
keywords, weights = {}, []


class Attributes:
    """An environment of an unknown class."""


kind = Attributes


class Function:
    """One function of the user's: file.py:name, or module.name as TRL imports it."""

    def __init__(self, written):
        self.place, _, self.name = written.rpartition(':' if ':' in written else '.')
        self.function = named(written)
        self.parameters = inspect.signature(self.function).parameters
        self.of_trl = 'completions' in self.parameters or 'completion_ids' in self.parameters

    def needs(self):
        """The columns that it takes, or why it cannot be called: found out before anything is played."""
        shown = f'{self.name}{inspect.signature(self.function)} of {self.place}'
        if 'solution_strs' in self.parameters:
            raise TypeError(f'{shown} scores whole batches: it must score one response, as solution_str')
        if self.of_trl:
            given = {*TRL, *keywords}
            named = [p for p in self.parameters.values() if p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)]
            return [p.name for p in named if p.default is p.empty and p.name not in given]
        try:
            inspect.signature(self.function).bind(**dict.fromkeys([*VERL, *keywords]))
        except TypeError as error:
            raise TypeError(f"{shown} takes neither verl's arguments ({', '.join(VERL)}) nor TRL's (completions, **kwargs): {error}") from None
        return []

    def by_trl(self, request, details):
        """Lists of one, as the trainer of TRL calls it: a conversation where the prompt is one, else texts."""
        text, row = request['solution_str'], request['row']
        talk = isinstance(row.get('prompt'), list)
        told = {'ground_truth': request['ground_truth'], **row}
        told.pop('prompt', None)
        if isinstance(told.get('environments'), dict):
            told['environments'] = restored(told['environments'])
        lists = {key: [value] for key, value in told.items()}
        lists['prompts'] = [row['prompt'] if talk else request['prompt']]
        lists['completions'] = [[spoken(message) for message in request['completion']] if talk else text]
        lists.update(completion_ids=[request['tokens']], trainer_state=None, log_extra=lambda column, values: None, log_metric=details.__setitem__, **keywords)
        if not any(p.kind is p.VAR_KEYWORD for p in self.parameters.values()):
            lists = {key: value for key, value in lists.items() if key in self.parameters}
        return lists

    def score(self, request, details):
        """Its number, or None where TRL's function says that it does not apply; other numbers go to the details."""
        arguments = self.by_trl(request, details) if self.of_trl else {**{key: request[key] for key in VERL}, **keywords}
        score = awaited(self.function(**arguments))
        shown = f'{self.name} of {self.place}'
        if self.of_trl:
            if not hasattr(score, '__len__') or len(score) != 1:
                raise TypeError(f'{shown}: expected a list of one score for one completion, found {score!r}')
            if score[0] is None:
                return None
            score = score[0]
        elif isinstance(score, dict):
            details.update((key, value) for key, value in score.items() if key != 'score')
        found = score.get('score') if isinstance(score, dict) else score[0] if isinstance(score, (list, tuple)) and score else score
        value = number(found)
        if value is None:
            raise TypeError(f"{shown}: expected a number, or a mapping with a number as 'score', found {score!r:.200}")
        return value


def spoken(message):
    """A message as TRL parses it, whose tool calls are apart from its text."""
    try:
        calls = [{'type': 'function', 'function': json.loads(call)} for call in CALL.findall(message['content'])]
    except ValueError:
        return message
    if message['role'] != 'assistant' or not calls:
        return message
    return {'role': 'assistant', 'content': CALL.sub('', message['content']).strip(), 'tool_calls': calls}


def restored(state):
    """An environment as the episode left it: its attributes that were JSON values, with the methods of its class."""
    environment = object.__new__(kind)
    environment.__dict__.update(state)
    return environment


def number(value):
    """None of what is no single number."""
    try:
        return float(value)
    except (TypeError, ValueError, OverflowError, RuntimeError):  # the last of a tensor
        return None


sys.path.insert(0, os.getcwd())
functions = [Function(written) for written in sys.argv[1:]]


def answer(request):
    global kind
    if request['op'] == 'describe':
        made = request['environment_factory'] and named(request['environment_factory'])
        kind = made if inspect.isclass(made) else Attributes
        keywords.update(request['options'])
        weights.extend(request['weights'])
        needed = [column for function in functions for column in function.needs()]
        return {'trl': any(function.of_trl for function in functions), 'needs': needed}
    total, details = 0.0, {}
    for function, weight in zip(functions, weights):
        score = function.score(request, details)
        if score is not None:
            total += weight * score
            if request['each']:
                details[function.name] = score
    numbers = {key: number(detail) for key, detail in details.items() if not isinstance(detail, str)}
    return {'score': total, 'details': {str(key): detail for key, detail in numbers.items() if detail is not None}}


serve(answer, pause=0)  # what ends the process is then the first request without an answer
