# The pool of workspaces: what they have in common, and the processes that make them.


class Setup:
    """What the workspaces of a pool have in common."""

    def __init__(self, isolation, folder, memory, processes, disk, network, *readable):
        self.isolation, self.folder, self.readable = isolation, os.path.realpath(folder), list(readable)
        self.memory, self.processes, self.disk, self.network = int(memory), int(processes), int(disk), network == '1'
        self.templates = os.path.join(self.folder, 'templates')
        self.probe = os.path.join(self.folder, 'probe')
        self.owner = NOBODY if os.getuid() == 0 and isolation != 'none' else None
        os.mkdir(self.templates)
        os.chmod(self.templates, 0o711)
        self.held, self.missing, self.overlays = [], [], False

    def step(self, name, action, *arguments):
        """Tries in another process what shuts commands in, and notes whether the kernel has it."""
        self.held.append(name)
        try:
            in_child(action, *arguments)
        except OSError as refused:
            self.held.remove(name)
            self.missing.append(f'{name} ({refused.strerror})')

    def more_bounds(self):
        """Limits of processes, which outside of namespaces are those of this user, and of files."""
        if 'namespaces' in self.held:
            return {'NPROC': self.processes + 2}
        others = sum(1 for process in os.listdir('/proc') if process.isdigit() and owned(process))
        return {'NPROC': self.processes + others, 'FSIZE': self.disk}

    def place(self):
        """Shuts this process in; where commands are."""
        if 'namespaces' not in self.held:
            return Plain(self)
        os.chdir(self.templates)  # for a user that cannot enter the folders above
        if os.getuid() == 0:
            own_user()
        spaces = [number for name, number in SPACES.items() if name != 'network' or not self.network]
        unshare_users(spaces, ACCOUNT, ACCOUNT)
        ends_with_parent()  # anew, for its rights changed
        if not follow():
            os._exit(0)
        return Spaces(self)


def owned(process):
    try:
        return os.stat('/proc/' + process).st_uid == os.getuid()
    except OSError:
        return False


def ends_with_parent():
    checked(LIBC.prctl(1, signal.SIGKILL, 0, 0, 0))


def in_child(action, *arguments):
    """What an action in another process returns; raises OSError with its message if it failed."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            ends_with_parent()
            said = b'+' + str(action(*arguments)).encode()
        except BaseException as failure:
            said = b'-' + message(failure)
        os.write(writer, said)
        os._exit(0)
    os.close(writer)
    with open(reader, 'rb') as file:
        said = file.read()
    os.waitpid(child, 0)
    if said[:1] != b'+':
        raise OSError(0, said[1:].decode() or 'it ended')
    return said[1:].decode()
