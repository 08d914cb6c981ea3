# A workspace where there are no namespaces: a copy of the template in a folder; Landlock and seccomp shut commands in.
class Plain:
    """What the process of a workspace knows of its commands, which become its children when their parents end."""
    proc = '/proc'

    def __init__(self, setup):
        self.setup, self.directory = setup, None
        self.folder = os.path.join(setup.folder, 'slots', str(os.getpid()))
        for name in 'files', 'tmp', 'home':
            os.makedirs(os.path.join(self.folder, name))
        if os.getuid() == 0 and setup.isolation != 'none':
            for name in '', 'files', 'tmp', 'home':
                os.chown(os.path.join(self.folder, name), setup.owner, setup.owner)
            own_user(setup.owner)
        checked(LIBC.prctl(36, 1, 0, 0, 0))  # processes whose parent ended are its children
        checked(LIBC.prctl(4, 0, 0, 0, 0))
        signal.signal(signal.SIGTERM, lambda *_: sys.exit())
        checked(LIBC.prctl(1, signal.SIGTERM, 0, 0, 0))  # when the server ends
        self.rules = self.filter = None
        if setup.isolation != 'none':
            self.confine()

    def confine(self):
        """Prepares what the kernel has to shut commands in."""
        settings = ['/etc/' + name for name in SETTINGS.split()]
        readable = [*PROGRAMS, *settings, *self.setup.readable]
        granted = [(path, EXECUTE | READ_FILE | READ_FOLDER) for path in readable]
        granted += [(path, READ_FILE | WRITE_FILE) for path in [*DEVICES, '/dev/full', '/dev/tty']]
        granted += [(os.path.join(self.folder, name), 0xffff) for name in ('files', 'tmp', 'home')]
        if 'Landlock' in self.setup.held:
            self.rules = rule_set(granted)
        if 'seccomp' in self.setup.held:
            self.filter = call_filter(refusals(FAMILIES if self.setup.network else []))

    def take(self, number, directory):
        """Copies a template."""
        if directory:
            raise OSError(errno.ENOTSUP, 'a workspace has a directory of its own choice only where there are namespaces')
        self.directory = os.path.realpath(os.path.join(self.folder, 'files')).encode()
        template = os.path.join(self.setup.templates, str(number)).encode()
        return template, Copies(template, self.folder.encode(), self.directory)

    def files(self):
        return Files(b'', self.directory)

    def variables(self):
        return {**VARIABLES, 'HOME': os.path.join(self.folder, 'home'), 'TMPDIR': os.path.join(self.folder, 'tmp')}

    def others(self):
        return descendants()

    def end(self, reap):
        """Ends its commands, some of which may start others meanwhile."""
        others = descendants()
        while others:
            for process in others:
                try:
                    os.kill(int(process), signal.SIGKILL)
                except ProcessLookupError:
                    pass
            reap(os.WNOHANG)
            others = descendants()

    def leave(self):
        self.end(lambda options: end_descendants())

    def shut_in(self, bound):
        os.chdir(self.directory)
        bound()
        if self.rules is not None:
            restrict(self.rules)
        if self.filter is not None:
            install(self.filter)
