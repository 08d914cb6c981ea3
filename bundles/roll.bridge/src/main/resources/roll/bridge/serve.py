"""Answers the requests of roll, lines of JSON on the standard input, with answer(request) for each."""
import asyncio
import importlib
import importlib.util
import inspect
import json
import os
import sys
import sysconfig
import threading
import time
import traceback

requests, answers = os.fdopen(os.dup(0), 'rb'), os.fdopen(os.dup(1), 'wb')
os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
os.dup2(2, 1)  # what is printed goes into the log, also what a program prints that is started while all this is loaded
sys.stdout.reconfigure(line_buffering=True)


loop = asyncio.new_event_loop()
asyncio.set_event_loop(loop)
files = {}


def awaited(value):
    """What a coroutine returns."""
    return loop.run_until_complete(value) if inspect.isawaitable(value) else value


def loaded(path):
    """The module of a user's file, beside which others can be imported."""
    if path not in files:
        sys.path.insert(0, os.path.dirname(os.path.abspath(path)))
        name = 'user_file' + '_' * len(files)
        spec = importlib.util.spec_from_file_location(name, path)
        files[path] = sys.modules[name] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(files[path])
    return files[path]


def named(written):
    """A user's function or class: file.py:name, or module.name as TRL imports it."""
    place, _, name = written.rpartition(':' if ':' in written else '.')
    if not place or written.endswith('.py') or ':' in written and not place.endswith('.py'):
        raise ValueError(f'{written}: expected module.name or file.py:name')
    found = getattr(loaded(place) if ':' in written else importlib.import_module(place), name, None)
    if not callable(found):
        raise AttributeError(f'{place} has no function {name}')
    return found


def plain(value):
    """What JSON does not know: numbers and arrays of numpy and torch, and the rest as text."""
    return value.tolist() if hasattr(value, 'tolist') else str(value)


def place(error):
    """Which line of a user's file raised it, else which line of a library; nothing where this script did."""
    if isinstance(error, SyntaxError) and error.filename:
        return f' ({error.filename}:{error.lineno})'
    libraries = tuple(sysconfig.get_paths()[kind] + os.sep for kind in ('stdlib', 'purelib', 'platlib'))
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if not frame.filename.startswith('<')]
    own = [frame for frame in frames if not frame.filename.startswith(libraries)]
    return ''.join(f' ({frame.filename}:{frame.lineno})' for frame in (own or frames)[-1:])


def uncaught(kind, error, trace):
    """The last line tells the place of what ends this program, as while a user's file is loaded."""
    traceback.print_exception(kind, error, trace)
    if place(error):
        message = error.msg if isinstance(error, SyntaxError) else str(error)
        print(f"{kind.__name__}: {' '.join(message.split())}{place(error)}", file=sys.stderr)


sys.excepthook = uncaught


def live_with(parent):
    """Ends when roll has, also where it was killed while this program computes."""
    while os.getppid() == parent:
        time.sleep(1)
    os._exit(1)


def serve(answer, pause=0.1):
    """Answers all requests, with at most so many seconds between two times that answers are sent."""
    threading.Thread(target=live_with, args=(os.getppid(),), daemon=True).start()
    for line in requests:
        asked = json.loads(line)
        told = time.monotonic()
        for request in asked if isinstance(asked, list) else [asked]:
            try:
                reply = answer(request)
            except (Exception, SystemExit) as error:
                traceback.print_exc()
                reply = {'error': f'{type(error).__name__}: {error}{place(error)}'}
            answers.write(json.dumps({**reply, 'id': request['id']}, default=plain).encode() + b'\n')
            if time.monotonic() - told >= pause:  # the first of many need not wait for the last
                answers.flush()
                told = time.monotonic()
        answers.flush()


