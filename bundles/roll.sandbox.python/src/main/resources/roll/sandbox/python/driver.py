# Runs in a python3 of its own: reads programs from its input, each after a line with its length in bytes, the seconds and
# the characters it may use; answers with a line of outcome and two lengths, then what was printed and the error.
import ast, io, os, resource, sys


class Bounded(io.TextIOBase):
    def __init__(self, limit):
        self.left = limit + 1
        self.parts = []

    def writable(self):
        return True

    def write(self, text):
        kept = text[:self.left]
        self.left -= len(kept)
        if kept:
            self.parts.append(kept)
        return len(text)


def run(source, scope):
    tree = ast.parse(source, '<program>')
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, '<program>', 'exec'), scope)
    if last is not None:
        value = eval(compile(ast.Expression(last.value), '<program>', 'eval'), scope)
        if value is not None:
            print(repr(value))


def attempt(source, scope):
    try:
        run(source, scope)
        return 'DONE', ''
    except MemoryError:
        return 'MEMORY', 'MemoryError'
    except BaseException as failure:
        return 'FAILED', (type(failure).__name__ + ': ' + str(failure)).rstrip(': ')


def main(memory):
    answers, questions = os.dup(1), os.fdopen(os.dup(0), 'rb')
    nothing = os.open(os.devnull, os.O_RDWR)
    for standard in 0, 1, 2:
        os.dup2(nothing, standard)
    limits = {'AS': memory + (64 << 20), 'FSIZE': 0, 'CORE': 0, 'NPROC': 0}
    for name, limit in limits.items():
        resource.setrlimit(getattr(resource, 'RLIMIT_' + name), (limit, limit))
    scope = {'__name__': '__main__', '__builtins__': __builtins__}
    while True:
        header = questions.readline().split()
        if not header:
            return
        size, seconds, characters = map(int, header)
        source = questions.read(size).decode('utf-8', 'replace')
        used = resource.getrusage(resource.RUSAGE_SELF)
        resource.setrlimit(resource.RLIMIT_CPU, (int(used.ru_utime + used.ru_stime) + 2 * seconds + 1, resource.RLIM_INFINITY))
        output = sys.stdout = sys.stderr = Bounded(characters)
        sys.stdin = io.StringIO()
        outcome, error = attempt(source, scope)
        printed = ''.join(output.parts).encode('utf-8', 'replace')
        error = ' '.join(error[:1000].split('\n')).encode('utf-8', 'replace')
        answer = b'%s %d %d\n%s%s' % (outcome.encode(), len(printed), len(error), printed, error)
        while answer:
            answer = answer[os.write(answers, answer):]


main(int(sys.argv[1]))
