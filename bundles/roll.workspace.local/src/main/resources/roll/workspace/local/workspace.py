# Answers requests about one workspace. A request is a line of a word and the lengths of its fields, and the fields; an
# answer begins with 'ok', or with 'failed' and has a message.


def answer(channel, word, fields):
    head = b' '.join([word, *(b'%d' % len(field) for field in fields)]) + b'\n'
    channel.sendall(head + b''.join(fields))


def request(questions):
    """The next request, or None at the end."""
    head = questions.readline().split()
    if not head:
        return None, []
    return head[0], [questions.read(int(length)) for length in head[1:]]


class Workspace:
    """What can be asked."""

    def __init__(self, place, limits, channel):
        self.place, self.limits, self.channel = place, limits, channel
        self.template = self.tree = self.files = None

    def take(self, number, directory):
        self.template, self.tree = self.place.take(int(number), directory)
        self.files = self.place.files()
        return [self.place.directory]

    def run(self, milliseconds, output, words, *rest):
        count = int(words)
        variables = {name.encode(): value.encode() for name, value in self.place.variables().items()}
        variables.update(variable.split(b'=', 1) for variable in rest[count:])
        seconds = int(milliseconds) / 1000
        return run(rest[:count], variables, seconds, int(output), self.place, self.limits, self.channel)

    def read(self, path, limit):
        return [self.files.read(path, int(limit))]

    def write(self, path, content):
        self.files.write(path, content)
        return []

    def put(self, kind, path, mode, content):
        self.files.put(kind, path, int(mode), content)
        return []

    def diff(self):
        return diff(self.tree, self.template)

    def snapshot(self):
        return [b'%d' % self.tree.snapshot()]

    def restore(self, number):
        self.tree.restore(int(number))
        return []

    def serve(self, questions):
        """Answers until the other end goes."""
        verbs = {name.encode(): getattr(self, name) for name in
                 ('take', 'run', 'read', 'write', 'put', 'diff', 'snapshot', 'restore')}
        while True:
            verb, fields = request(questions)
            if verb is None:
                return
            if verb == b'end':
                continue  # the command has ended by itself
            try:
                answer(self.channel, b'ok', verbs[verb](*fields))
            except (OSError, RecursionError) as failure:
                answer(self.channel, b'failed', [message(failure)])


def message(failure):
    text = getattr(failure, 'strerror', None) or str(failure)
    return text.encode('utf-8', 'replace')
