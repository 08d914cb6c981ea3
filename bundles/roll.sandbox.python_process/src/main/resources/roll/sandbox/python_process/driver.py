# Runs the programs of one session. Of each it reads a line with a nonce, the program's length in bytes and the number
# of characters it may print, then the program; it sends what is printed as it comes, as a line 'O <bytes>' and the
# bytes, and at the end a line 'E <nonce> <outcome> <bytes>' and the error.
import ast, io, resource


class Printed(io.TextIOBase):
    """Sends what is written, line by line, up to a number of characters and one more."""

    def __init__(self, send, limit):
        self.send, self.left, self.parts = send, limit + 1, []

    def writable(self):
        return True

    def write(self, text):
        kept = text[:self.left]
        self.left -= len(kept)
        if kept:
            self.parts.append(kept)
        if '\n' in kept or len(self.parts) > 100:
            self.flush()
        return len(text)

    def flush(self):
        line = ''.join(self.parts).encode('utf-8', 'replace')
        self.parts.clear()
        if line:
            self.send(b'O %d\n' % len(line) + line)


def run(source, scope, printed):
    tree = ast.parse(source, '<program>')
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, '<program>', 'exec'), scope)
    if last is not None:
        value = eval(compile(ast.Expression(last.value), '<program>', 'eval'), scope)
        if value is not None:
            printed.write(repr(value) + '\n')


def attempt(source, scope, printed):
    try:
        run(source, scope, printed)
        return b'DONE', ''
    except MemoryError:
        return b'MEMORY', 'MemoryError'
    except BaseException as failure:
        try:
            return b'FAILED', (type(failure).__name__ + ': ' + str(failure)).rstrip(': ')
        except BaseException:
            return b'FAILED', type(failure).__name__


def address_space():
    """Bytes that this process has."""
    with open('/proc/self/statm') as status:
        return int(status.read().split()[0]) * resource.getpagesize()


def bounded(memory):
    """Limits of this process: memory, and nothing that it could fill or start."""
    limits = {'AS': memory, 'FSIZE': 0, 'CORE': 0, 'NPROC': 0, 'MEMLOCK': 0, 'MSGQUEUE': 0, 'NOFILE': 64}
    for name, limit in limits.items():
        resource.setrlimit(getattr(resource, 'RLIMIT_' + name), (limit, limit))


def programs(channel, questions):
    """Runs the requested programs until the other end closes the channel."""
    sys.stdin = io.StringIO()
    scope = {'__name__': '__main__', '__builtins__': __builtins__}
    while True:
        header = questions.readline().split()
        if not header:
            return
        nonce, size, characters = header[0], *map(int, header[1:])
        source = questions.read(size).decode('utf-8', 'replace')
        printed = sys.stdout = sys.stderr = Printed(channel.sendall, characters)
        outcome, error = attempt(source, scope, printed)
        printed.flush()
        error = ' '.join(error[:1000].split('\n')).encode('utf-8', 'replace')
        channel.sendall(b'E %s %s %d\n' % (nonce, outcome, len(error)) + error)
