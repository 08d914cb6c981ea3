import re
import signal
import types
import typing

KINDS = {str: 'string', int: 'integer', float: 'number', bool: 'boolean', type(None): 'null', list: 'array', tuple: 'array'}
functions, idle, played = {}, [], {}  # by name; environments that may be used again; by episode
make, seconds = None, 0


class Late(BaseException):
    """Not an Exception, which a tool may catch to try again."""


def late(*_):
    raise Late


signal.signal(signal.SIGALRM, late)


def limited(function, arguments):
    """What a function or coroutine returns in time."""
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        return awaited(function(**arguments))
    except Late:
        for task in asyncio.all_tasks(loop):
            task.cancel()
        raise TimeoutError(f'{function.__name__} took longer than {seconds:g} s') from None
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def kind(hint):
    """The JSON schema of a type, as transformers makes it."""
    origin, inner = typing.get_origin(hint), typing.get_args(hint)
    if hint is typing.Any:
        return {}
    if origin in (typing.Union, types.UnionType):
        kinds = [kind(one) for one in inner if one is not type(None)]
        if len(kinds) > 1 and all(one.keys() == {'type'} for one in kinds):
            kinds = [{'type': sorted({one['type'] for one in kinds})}]
        one = kinds[0] if len(kinds) == 1 else {'anyOf': kinds}
        return {**one, 'nullable': True} if type(None) in inner else one
    if origin is typing.Literal:
        names = list(dict.fromkeys(KINDS[type(one)] for one in inner))
        return {'type': names if len(names) > 1 else names[0], 'enum': list(inner)}
    more = {}
    if origin is list:
        more = {'items': kind(inner[0])}
    elif origin is tuple:
        more = {'prefixItems': [kind(one) for one in inner]}
    elif origin is dict:
        more = {'additionalProperties': kind(inner[1])}
    return {'type': KINDS.get(origin or hint, 'object'), **more}


def described(doc):
    """The arguments of Google's section Args, with their descriptions."""
    section = re.search(r'^\s*Args:\n(.*?)(^\s*(Returns|Raises):|\Z)', doc, re.DOTALL | re.MULTILINE)
    entries = re.findall(r'^\s*(\w+):\s*(.*?)(?=^\s*\w+:|\Z)', section.group(1) if section else '', re.DOTALL | re.MULTILINE)
    return {name: ' '.join(text.split()) for name, text in entries}


def schema(name, function):
    """The schema of a tool by its type hints and docstring."""
    doc = inspect.getdoc(function)
    if not doc:
        raise TypeError(f'{name} has no docstring, which describes it to the model')
    hints, texts, properties, required = typing.get_type_hints(function), described(doc), {}, []
    for parameter in inspect.signature(function).parameters.values():
        if parameter.name not in hints:
            raise TypeError(f'{name}: its argument {parameter.name} has no type hint')
        if parameter.name not in texts:
            raise TypeError(f'{name}: its docstring has no description of {parameter.name} under Args:')
        text = texts[parameter.name]
        choices = re.search(r'\(choices:\s*(.*?)\)\s*$', text, re.IGNORECASE)
        enum = {'enum': json.loads(choices.group(1))} if choices else {}
        properties[parameter.name] = {**kind(hints[parameter.name]), **enum, 'description': text[:choices.start()].strip() if choices else text}
        if parameter.default is parameter.empty:
            required.append(parameter.name)
    about = re.split(r'\s*(?:Args|Returns|Raises):', doc, maxsplit=1)[0].strip()
    parameters = {'type': 'object', 'properties': properties, **({'required': required} if required else {})}
    return {'name': name, 'description': about, 'parameters': parameters}


def methods(environment):
    """The tools of an environment: its public methods except two."""
    return {name: method for name, method in inspect.getmembers(environment, inspect.ismethod)
            if not name.startswith('_') and name not in ('reset', 'get_reward')}


def describe(request):
    """Loads what is named; needs are the columns that reset requires."""
    global make, seconds
    seconds = request['seconds']
    for written in request['tools']:
        function = named(written)
        if function.__name__ in functions:
            raise ValueError(f'two tools are named {function.__name__}')
        functions[function.__name__] = function
    answer = {'needs': [], 'name': '', 'get_reward': False}
    tools = dict(functions)
    if request['environment_factory']:
        make = named(request['environment_factory'])
        environment = make()
        idle.append(environment)
        answer.update(name=type(environment).__name__, get_reward=callable(getattr(environment, 'get_reward', None)))
        if not callable(getattr(environment, 'reset', None)):
            raise TypeError(f"{answer['name']} has no method reset")
        asked = inspect.signature(environment.reset).parameters.values()
        answer['needs'] = [p.name for p in asked if p.default is p.empty and p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)]
        for name, method in methods(environment).items():
            if name in tools:
                raise ValueError(f'two tools are named {name}')
            tools[name] = method
    if not tools:
        raise TypeError(f"{answer['name']} has no public method that is a tool")
    return {**answer, 'tools': [schema(name, tool) for name, tool in tools.items()]}


def reset(request):
    """An environment for one episode, with what it shows first."""
    environment = idle.pop() if idle else make()
    asked = inspect.signature(environment.reset).parameters
    every = any(p.kind is p.VAR_KEYWORD for p in asked.values())
    shown = limited(environment.reset, {key: value for key, value in request['row'].items() if every or key in asked})
    played[request['episode']] = environment
    return {'observation': '' if shown is None else text(shown)}


def call(request):
    """The result of a tool as text; what it raises is reported to the model in TRL's form."""
    tools = {**functions, **methods(played.get(request['episode']))}
    try:
        return {'result': text(limited(tools[request['tool']], request['arguments']))}
    except (Exception, SystemExit) as error:
        return {'result': str({'error': str(error)}), 'failed': True}


def text(shown):
    """A text, the texts of content blocks, or any other value as text."""
    if not isinstance(shown, list) or not shown or not all(isinstance(part, dict) and 'type' in part for part in shown):
        return str(shown)
    if any(part['type'] != 'text' for part in shown):
        raise TypeError('tools return texts only, no pictures')
    return ''.join(part['text'] for part in shown)


def state(environment):
    """Its attributes that are JSON values."""
    values = {}
    for name, value in getattr(environment, '__dict__', {}).items():  # a class may have slots
        try:
            values[name] = json.loads(json.dumps(value, allow_nan=False))
        except (TypeError, ValueError, RecursionError):
            pass
    return values


def answer(request):
    op, environment = request['op'], played.get(request.get('episode'))
    if op == 'grade':
        reward = limited(environment.get_reward, {})
        return {'reward': 0.0 if reward is None else float(reward)}
    if op == 'state':
        return {'state': state(environment)}
    if op == 'close':
        if environment is not None:
            idle.append(played.pop(request['episode']))
        return {}
    return {'describe': describe, 'reset': reset, 'call': call}[op](request)


sys.path.insert(0, os.getcwd())
serve(answer)
