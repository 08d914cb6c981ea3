# A python3 that is started once and forks a process for each session that connects to its socket:
# python3 -c <this> <isolation> <socket>. It says first, in one line, what stops programs here; it ends with its input.
import select, socket
import collections, copy, dataclasses, datetime, decimal, fractions, functools, heapq, itertools, json, math, operator
import gc, random, re, statistics, string, typing  # the usual ones, so that programs need not wait for them

held, missing = [], []


def step(name, action, *arguments):
    """Does what shuts programs in, and notes whether the kernel had it."""
    try:
        action(*arguments)
        held.append(name)
    except OSError as refused:
        missing.append(f'{name} ({refused.strerror})')


def shut_in():
    """What all sessions share; the rest each does itself."""
    readable = libraries()
    if 'namespaces' in held:
        step('own file system', own_root, readable + DEVICES)
    if os.getuid() == 0:
        step('own user', own_user)
    step('Landlock', landlock, readable, DEVICES)
    if 'namespaces' in held:
        step('no capabilities', no_capabilities)


def session(channel, questions, memory, isolation, others):
    """Gives up what this process has of the server, shuts the door and runs programs; ends with the server."""
    LIBC.prctl(1, signal.SIGKILL, 0, 0, 0)
    nothing = os.open(os.devnull, os.O_RDWR)
    for other in others:
        os.close(other)
    for standard in 0, 1, 2:
        os.dup2(nothing, standard)
    os.close(nothing)
    os.setsid()
    bounded(memory)
    if isolation != 'none':
        step('seccomp', seccomp)
    programs(channel, questions)


def succeeds(attempt, *arguments):
    try:
        attempt(*arguments)
        return True
    except OSError:
        return False


def boundaries(stranger):
    """Tries, as a program would, what must not succeed; the names of what holds."""
    tries = {
        'files': [(open, '/etc/passwd'), (os.open, '/tmp', os.O_TMPFILE | os.O_RDWR), (os.mkdir, '/var/tmp/roll-sandbox')],
        'network': [(socket.socket, socket.AF_INET), (socket.socket, socket.AF_UNIX)],
        'processes': [(os.fork,), (os.kill, stranger, 0), (os.execv, sys.executable, [sys.executable, '--version'])],
    }
    return [name for name, attempts in tries.items() if not any([succeeds(*attempt) for attempt in attempts])]


def tried(stranger):
    """What a process that was shut in like a session finds; it ends there, whatever happens."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        step('seccomp', seccomp)
        os.write(writer, line(boundaries(stranger)).encode())
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as answer:
        found = answer.read()
    os.waitpid(child, 0)
    return found


def line(kept):
    return '\t'.join(', '.join(names) for names in (kept, held, missing))


def send(child, number):
    """A signal to a session, and where it could start processes to those that stayed in its group."""
    for to in os.killpg, os.kill:
        try:
            to(child, number)
        except OSError:
            pass  # it has ended, or has no group yet


def halt(orders, sessions):
    """Reads lines of a session's name and '1' or '0': suspends its process between programs, or resumes it."""
    for name, stop in map(bytes.split, orders):
        if name in sessions:
            send(sessions[name], signal.SIGSTOP if stop == b'1' else signal.SIGCONT)


def serve(listener, isolation, taken):
    """Forks a session for each that connects; ends it when the other end goes, or all when the input ends."""
    channels, processes = {}, {}  # by descriptor: the channel of a session; the channel's number and the session's name
    sessions, rest = {}, b''  # by name: the process
    events = select.poll()
    events.register(0, select.POLLIN)
    events.register(listener, select.POLLIN)
    while True:
        for descriptor, _ in events.poll():
            if descriptor == 0:
                told = os.read(0, 1 << 16)
                if not told:
                    return
                *orders, rest = (rest + told).split(b'\n')
                halt(orders, sessions)
                continue
            if descriptor == listener.fileno():
                channel, _ = listener.accept()
                questions = channel.makefile('rb')
                header = questions.readline().split()
                if not header:
                    continue  # it has gone
                memory, name = int(header[0]), header[1]
                child = os.fork()
                if child == 0:
                    session(channel, questions, memory + taken, isolation, [listener.fileno(), *channels, *processes])
                    os._exit(0)
                questions.close()
                handle = os.pidfd_open(child)
                channels[channel.fileno()] = channel, handle
                processes[handle] = channel.fileno(), name
                sessions[name] = child
                events.register(channel, select.POLLRDHUP)
                events.register(handle, select.POLLIN)
                continue
            handle = channels[descriptor][1] if descriptor in channels else descriptor
            if handle not in processes:
                continue  # ended by an event before this one
            number, name = processes.pop(handle)
            events.unregister(number)
            events.unregister(handle)
            child = sessions.pop(name)
            send(child, signal.SIGKILL)
            os.waitpid(child, 0)
            os.close(handle)
            channels.pop(number)[0].close()


def main(isolation, place):
    if os.getpid() != os.getsid(0):
        os.setsid()  # an interrupt at the terminal is not for these processes
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(place)
    listener.listen(256)
    taken = address_space() + (8 << 20)  # and what modules take that come later
    if follow():
        stranger = os.getpid()
        if isolation != 'none':
            step('namespaces', unshare)
        if 'namespaces' not in held or follow():
            if isolation == 'none':
                print(line([]), flush=True)
            else:
                shut_in()
                print(tried(stranger), flush=True)
            gc.collect()
            gc.freeze()
            serve(listener, isolation, taken)
        os._exit(0)
    os.unlink(place)
    os.rmdir(os.path.dirname(place))


main(*sys.argv[1:])
