# What shuts commands in on this machine: each means is tried, then what a command must not reach.
def detect(setup):
    if setup.isolation == 'none':
        return
    setup.step('namespaces', setup.place)
    if 'namespaces' in setup.held:
        setup.overlays = True
        setup.step('overlays', overlaid, setup)
        setup.overlays = 'overlays' in setup.held
    else:
        setup.step('Landlock', lambda: restrict(rule_set([])))
    setup.step('seccomp', lambda: install(call_filter(refusals([]))))


def overlaid(setup):
    """Replaces a folder of the template, which not every overlay can."""
    place = setup.place()
    place.take(0, b'')
    folder = f'{ROOT}/workspace/folder'
    os.unlink(folder + '/file')
    os.rmdir(folder)
    os.mkdir(folder)
    if os.listdir(folder):
        raise OSError(errno.ENOTSUP, 'folders cannot be replaced')


def succeeds(attempt, *arguments):
    try:
        attempt(*arguments)
        return True
    except OSError:
        return False


def connects(port):
    with socket.create_connection(('127.0.0.1', port), 1):
        pass


def signals(processes):
    """Sends a signal to the process that started this one, if it is not process 1 of a namespace."""
    if succeeds(os.readlink, '/proc/self/ns/pid') and os.readlink('/proc/self/ns/pid') != processes:
        raise OSError(errno.ESRCH, 'other processes')
    os.kill(os.getppid(), 0)


def boundaries(setup, port, processes):
    """Tries, as a command would, what must not succeed; the names of what holds."""
    tries = {
        'files': [(open, setup.probe + '/secret'), (os.mkdir, setup.probe + '/new')],
        'network': [] if setup.network else [(connects, port)],
        'processes': [(signals, processes)],
    }
    return ', '.join(name for name, attempts in tries.items() if not any([succeeds(*one) for one in attempts]))


def tried(setup, port, processes):
    """What a process that is shut in like a command finds."""
    place = setup.place()
    place.take(0, b'')

    def attempt():
        place.shut_in(lambda: None)
        return boundaries(setup, port, processes)
    return in_child(attempt)


def report(setup):
    """One line: what commands do not reach, what shuts them in, and what is missing for it."""
    os.makedirs(os.path.join(setup.templates, '0', 'folder'))
    with open(os.path.join(setup.templates, '0', 'folder', 'file'), 'w'):
        pass
    if setup.owner is not None:
        for name in '0', '0/folder', '0/folder/file':
            os.chown(os.path.join(setup.templates, name), setup.owner, setup.owner)
    detect(setup)
    folder = os.open(os.path.join(setup.templates, '0'), FOLDER)
    remove(folder, 'folder')
    os.close(folder)
    if setup.isolation == 'none':
        return '\t\t'
    os.mkdir(setup.probe)
    os.chmod(setup.probe, 0o777)
    with open(setup.probe + '/secret', 'w') as secret:
        secret.write('reached')
    with socket.socket() as listener:
        listener.bind(('127.0.0.1', 0))
        listener.listen()
        kept = in_child(tried, setup, listener.getsockname()[1], os.readlink('/proc/self/ns/pid'))
    folder = os.open(setup.folder, FOLDER)
    remove(folder, 'probe')
    os.close(folder)
    return '\t'.join([kept, ', '.join(setup.held), ', '.join(setup.missing)])
