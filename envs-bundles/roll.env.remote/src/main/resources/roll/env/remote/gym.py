import base64
import contextlib
import random
import re
import struct
import zlib

WORLD = sys.argv[1]
GEM = WORLD.startswith('gem/')
QUIZ = WORLD.startswith('gem/rg:')  # has a data set, which its episodes use up
sys.path.insert(0, os.getcwd())
worlds, idle = {}, []  # by the name of the episode; those that may be played again


def playable(env):
    """Whether it has Gymnasium's methods, found out before anything is played."""
    tools = [name for name in dir(type(env)) if not name.startswith('_') and name != 'reset' and callable(getattr(env, name, None))]
    for needed in ('reset', 'step'):
        if not callable(getattr(env, needed, None)):
            trl = needed == 'step' and tools and not hasattr(env, 'action_space')
            raise TypeError(f'{WORLD} has no method {needed}' + (
                f": a class for TRL's environment_factory, whose methods ({', '.join(tools)}) are tools: "
                'env_type dataset plays it, as python.environment_factory' if trl else ''))


def imported(module):
    """The user's module; where it is not found the error tells in which folder."""
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        if error.name != module and not module.startswith(f'{error.name}.'):
            raise  # it imports another one
        raise ModuleNotFoundError(f'{error} in {os.getcwd()} or the packages of {sys.executable}') from None


def registered(name):
    """Whether an id of Gymnasium, if that is installed, is of this name, with any version."""
    if 'gymnasium' not in sys.modules and importlib.util.find_spec('gymnasium') is None:
        return False
    return any(known.partition('-v')[0] == name for known in importlib.import_module('gymnasium').registry)


def make(options):
    """module:Class, gem/<id of GEM>, or an id of Gymnasium."""
    if GEM:
        return importlib.import_module('gem').make(WORLD[4:], **options)
    module, _, name = WORLD.partition(':')
    if name:
        made = getattr(imported(module), name, None)
        if made is not None:
            return made(**options)
        if name.isidentifier() and not registered(name):
            raise AttributeError(f"module '{module}' has no class '{name}'")
    return importlib.import_module('gymnasium').make(WORLD, **{'render_mode': 'rgb_array', **options})


def with_info(begun):
    """What reset returns: an observation with its info, or, as Gym had it, the observation alone."""
    pair = isinstance(begun, tuple) and len(begun) == 2 and isinstance(begun[1], dict)
    return begun if pair else (begun, {})


def stepped(result):
    """What step returns: five values, or Gym's four, whose done may be an end for want of time."""
    if not isinstance(result, tuple) or len(result) not in (4, 5):
        raise TypeError(f'{WORLD}: step returned {type(result).__name__}: expected observation, reward, terminated, truncated, info')
    if len(result) == 5:
        return result
    observation, reward, done, info = result
    late = bool(info.get('TimeLimit.truncated', False))
    return observation, reward, done and not late, done and late, info


def png(pixels):
    """An array of height x width x 3 bytes as a PNG file in Base64."""
    height, width = pixels.shape[:2]
    rows = b''.join(b'\0' + pixels[row, :, :3].tobytes() for row in range(height))
    chunks = (b'IHDR', struct.pack('>IIBBBBB', width, height, 8, 2, 0, 0, 0)), (b'IDAT', zlib.compress(rows, 1)), (b'IEND', b'')
    parts = [struct.pack('>I', len(data)) + name + data + struct.pack('>I', zlib.crc32(name + data)) for name, data in chunks]
    return base64.b64encode(b'\x89PNG\r\n\x1a\n' + b''.join(parts)).decode()


def picture(env):
    """For people; an episode is not lost with it, as where the library that draws is not installed."""
    try:
        drawn = env.render() if hasattr(env, 'render') else None
        return {'picture': png(drawn)} if hasattr(drawn, 'shape') else {}
    except Exception as error:
        print(f'not drawn: {type(error).__name__}: {error}', file=sys.stderr)
        return {}


def rounded(value):
    return [rounded(one) for one in value] if isinstance(value, list) else float(f'{value:.4g}') if isinstance(value, float) else value


class World:
    def __init__(self, options):
        self.env, self.drawn = awaited(make(options)), None
        playable(self.env)
        inner = getattr(self.env, 'unwrapped', self.env)
        self.instruction = getattr(inner, 'instruction', '')
        space = getattr(self.env, 'action_space', None)
        several = bool(getattr(space, 'shape', ()))  # numbers at once: MultiBinary has n of them
        count = 0 if several else int(getattr(space, 'n', 0))
        self.discrete, self.first = count > 0, int(getattr(space, 'start', 0)) if count else 0
        self.names = list(getattr(inner, 'action_names', None) or [str(self.first + i) for i in range(count)])
        self.numeric = several or not self.discrete and hasattr(space, 'low')
        asked = inspect.signature(self.env.reset).parameters
        every = any(parameter.kind is parameter.VAR_KEYWORD for parameter in asked.values())
        self.asks_purpose = 'purpose' in asked
        self.asks_seed = every or 'seed' in asked  # Gym before 0.22 has seed(), or draws from the generators of the process
        missing = [name for name, parameter in asked.items() if parameter.default is parameter.empty and name not in ('seed', 'purpose')
                   and parameter.kind not in (parameter.VAR_KEYWORD, parameter.VAR_POSITIONAL)]
        if missing:
            raise TypeError(f"{WORLD}: reset asks for {', '.join(missing)}, which is not told: a seed is, and purpose")
        self.shares = GEM or not self.asks_seed and not callable(getattr(self.env, 'seed', None))

    def seen(self, observation, info):
        seen = {'observation': observation, 'actions': info.get('actions', self.names), 'expert': info.get('expert')}
        if getattr(observation, 'ndim', 0) == 3 and observation.shape[2] in (3, 4) and str(observation.dtype) == 'uint8':
            seen.update(observation='', picture=png(observation))
        elif isinstance(observation, str):
            seen['observation'] += '\n' + info['suffix'] if GEM and info.get('suffix') else ''
        else:
            seen['observation'] = json.dumps(rounded(json.loads(json.dumps(observation, default=plain))))
        self.last = seen
        return seen

    @contextlib.contextmanager
    def drawing(self):
        """Some draw from the generators of the process: each episode continues where it stopped."""
        numpy = sys.modules.get('numpy')
        if self.shares and self.drawn:
            random.setstate(self.drawn[0])
            numpy and numpy.random.set_state(self.drawn[1])
        yield
        if self.shares:
            self.drawn = random.getstate(), numpy and numpy.random.get_state()

    def reset(self, seed, purpose):
        told = {'purpose': purpose} if self.asks_purpose else {}
        if self.asks_seed:
            told['seed'] = seed & (1 << (32 if GEM else 63)) - 1
        elif self.shares:
            random.seed(seed)
            'numpy' in sys.modules and sys.modules['numpy'].random.seed(seed & (1 << 32) - 1)
            self.drawn = None
        else:
            awaited(self.env.seed(seed & (1 << 32) - 1))
        with self.drawing():
            observation, info = with_info(awaited(self.env.reset(**told)))
        return {**self.seen(observation, info), 'facts': info.get('facts', {})}

    def step(self, response):
        action = response
        if self.discrete or self.numeric:
            found = re.findall('<answer>(.*?)</answer>', response, re.S)
            word = (found[-1] if found else response).strip()
            action = self.number(word)
            if action is None:
                return {**self.last, 'reward': 0, 'metrics': {'action_is_valid': 0}}
        with self.drawing():
            observation, reward, terminated, truncated, info = stepped(awaited(self.env.step(action)))
        given = {name: value.item() if getattr(value, 'ndim', None) == 0 else value for name, value in info.items()}
        metrics = {name: float(value) for name, value in given.items() if isinstance(value, (bool, int, float))}
        if 'is_success' in metrics:
            metrics['success'] = metrics.pop('is_success')
        return {**self.seen(observation, info), 'reward': float(reward), 'terminated': bool(terminated),
                'truncated': bool(truncated), 'metrics': {**metrics, 'action_is_valid': metrics.get('action_is_valid', 1)}}

    def number(self, word):
        """The action that a word is: a name or number of a discrete one, a list of numbers else; or None."""
        if self.discrete:
            lower = [name.lower() for name in self.names]
            return self.first + lower.index(word.lower()) if word.lower() in lower else None
        try:
            space = self.env.action_space
            action = importlib.import_module('numpy').array(json.loads(word), dtype=space.dtype)
            return action if space.contains(action) else None
        except (ValueError, TypeError):
            return None


def answer(request):
    op, name = request['op'], request.get('episode')
    if op == 'describe':
        world = World(request['options'])
        idle.append(world)
        return {'instruction': world.instruction, 'aggregations': {'action_is_valid': 'mean'},
                'respond': '<answer>{action}</answer>' if world.discrete else '{action}'}
    if op == 'reset':
        options = {**request['options'], 'seed': request['seed'] & (1 << 31) - 1} if QUIZ else request['options']
        worlds[name] = World(options) if QUIZ or not idle else idle.pop()
        return worlds[name].reset(request['seed'], request['start']['purpose'])
    if op == 'step':
        return worlds[name].step(request['action'])
    if op == 'render':
        return picture(worlds[name].env)
    world = worlds.pop(name, None)  # close
    if world and not QUIZ:
        idle.append(world)
    return {}


serve(answer)
