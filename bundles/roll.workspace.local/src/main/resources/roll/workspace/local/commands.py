# Runs a command with its limits; ends what it leaves.
TICK = 0.02  # seconds between looks at the memory of a command
PAGE = resource.getpagesize()
VARIABLES = {'PATH': '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', 'LANG': 'C.UTF-8', 'TERM': 'dumb'}


class Output:
    """The begin and the end of what is printed."""

    def __init__(self, limit):
        self.head, self.tail, self.seen = bytearray(), bytearray(), 0
        self.first, self.last = limit - limit // 2, limit // 2

    def add(self, part):
        self.seen += len(part)
        room = self.first - len(self.head)
        self.head += part[:room]
        self.tail += part[room:] if room < len(part) else b''
        if len(self.tail) > self.last + (1 << 18):
            del self.tail[:len(self.tail) - self.last]

    def drain(self, reader):
        """Reads a part; returns whether more may come."""
        try:
            part = os.read(reader, 1 << 16)
        except BlockingIOError:
            return False
        self.add(part)
        return bool(part)

    def kept(self):
        del self.tail[:max(0, len(self.tail) - self.last)]
        return bytes(self.head + self.tail)


def status_line(path):
    try:
        with open(path, 'rb') as file:
            return file.read()
    except OSError:
        return b''  # it has ended


def memory_of(proc, processes, limit):
    """Bytes of memory of processes; where they seem too many, those that they share are counted once."""
    sizes = (status_line(f'{proc}/{process}/statm').split() for process in processes)
    resident = sum(int(size[1]) * PAGE for size in sizes if size)
    if resident <= limit:
        return resident
    rolled = b''.join(status_line(f'{proc}/{process}/smaps_rollup') for process in processes)
    return sum(int(line.split()[1]) << 10 for line in rolled.splitlines() if line.startswith(b'Pss:')) or resident


def descendants():
    """The processes that this one and those that it started have started."""
    known, pending = [], [str(os.getpid())]
    while pending:
        process = pending.pop()
        try:
            tasks = os.listdir(f'/proc/{process}/task')
        except OSError:
            continue  # it has ended
        for task in tasks:
            children = status_line(f'/proc/{process}/task/{task}/children').decode().split()
            known += children
            pending += children
    return known


def end_descendants():
    """Ends them, some of which may start others meanwhile."""
    while True:
        others = descendants()
        if not others:
            return
        for process in others:
            try:
                os.kill(int(process), signal.SIGKILL)
            except OSError:
                pass  # it has ended
        try:
            while os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG):
                pass
        except ChildProcessError:
            return


def bounded(limits):
    """Limits of a process of a command."""
    bounds = {'DATA': 2 * limits.memory, 'CORE': 0, 'MEMLOCK': 1 << 16, 'MSGQUEUE': 0, 'NOFILE': 1024}
    for name, most in {**bounds, **limits.more_bounds()}.items():
        number = getattr(resource, 'RLIMIT_' + name)
        hard = resource.getrlimit(number)[1]
        most = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(number, (most, most))


def begin(words, variables, writer, place, limits):
    """Becomes the command."""
    try:
        os.setsid()
        os.dup2(writer, 1)
        os.dup2(writer, 2)
        for number in signal.SIGPIPE, signal.SIGXFSZ, signal.SIGINT:
            signal.signal(number, signal.SIG_DFL)
        os.umask(0o022)
        place.shut_in(lambda: bounded(limits))
        os.execvpe(words[0], words, variables)
    except FileNotFoundError:
        os.write(2, words[0] + b': not found\n')
        os._exit(127)
    except BaseException as failure:
        os.write(2, b'%s: %s\n' % (words[0], str(failure).encode()))
    os._exit(126)


class Run:
    """A command that runs."""

    def __init__(self, words, variables, keep, place, limits):
        self.place, self.limits, self.output, self.status = place, limits, Output(keep), None
        self.reader, writer = os.pipe()
        os.set_blocking(self.reader, False)
        self.child = os.fork()
        if self.child == 0:
            begin(words, variables, writer, place, limits)
        os.close(writer)

    def reap(self, options):
        """Takes the status of what ended, which is the command or what it left."""
        while True:
            try:
                process, status = os.waitpid(-1, options)
            except ChildProcessError:
                return
            if process == 0:
                return
            if process == self.child:
                self.status = status

    def wait(self, end, channel):
        """Waits for the end of the command, of its time, of its memory, or a request; returns which it was."""
        handle = os.pidfd_open(self.child)
        events = select.poll()
        for number, kind in (self.reader, select.POLLIN), (handle, select.POLLIN), (channel, select.POLLIN | select.POLLRDHUP):
            events.register(number, kind)
        looked = time.monotonic() + TICK / 2
        try:
            while True:
                now = time.monotonic()
                if now >= end:
                    return b'TIMEOUT'
                if now >= looked:
                    if memory_of(self.place.proc, self.place.others(), self.limits.memory) > self.limits.memory:
                        return b'MEMORY'
                    self.reap(os.WNOHANG)
                    looked = now + TICK
                if self.status is not None:
                    return b'EXITED'
                for number, kind in events.poll(1000 * max(0, min(end, looked) - now)):
                    if number == channel.fileno():
                        if kind & ~select.POLLIN or not channel.recv(1 << 10):
                            raise EOFError('the other end has gone')
                        return b'ENDED'  # the only request during a command
                    if number == handle:
                        return b'EXITED'
                    if not self.output.drain(self.reader) and kind & select.POLLHUP:
                        events.unregister(self.reader)
        finally:
            os.close(handle)

    def finish(self):
        """Ends all its processes; returns the status of the command."""
        self.reap(os.WNOHANG)
        self.place.end(self.reap)
        while self.output.drain(self.reader):
            pass
        os.close(self.reader)
        code = os.waitstatus_to_exitcode(self.status)
        return code if code >= 0 else 128 - code


def run(words, variables, seconds, keep, place, limits, channel):
    """Outcome, status, number of bytes left out, and output of a command."""
    running = Run(words, variables, keep, place, limits)
    outcome = running.wait(time.monotonic() + seconds, channel)
    status = running.finish()
    kept = running.output.kept()
    return [outcome, b'%d' % status, b'%d' % (running.output.seen - len(kept)), kept]
