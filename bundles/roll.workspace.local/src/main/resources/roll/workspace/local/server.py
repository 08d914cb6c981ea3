# A python3 that is started once and forks the process of a workspace for each that connects to its socket:
# python3 -c <this> <isolation> <folder> <memory> <processes> <disk> <network> <readable>... It says first, in one line,
# what stops commands here; it ends with its input, and deletes its folder.
NAME = 'roll-workspace'


def own(folder):
    """Marks a folder as in use while this process lives."""
    mark = os.open(folder + '/new', os.O_CREAT | os.O_RDWR, 0o600)
    fcntl.flock(mark, fcntl.LOCK_EX)
    os.rename(folder + '/new', folder + '/lock')


def delete(folder):
    above, name = os.path.split(folder)
    parent = os.open(above, FOLDER)
    remove(parent, name)
    os.close(parent)


def delete_stale(folder):
    """Deletes the folders of processes that were killed."""
    above = os.path.dirname(folder)
    for name in os.listdir(above):
        other = os.path.join(above, name)
        try:
            if name.startswith(NAME) and other != folder and os.lstat(other).st_uid == os.getuid():
                mark = os.open(other + '/lock', os.O_RDWR | os.O_NOFOLLOW)
                try:
                    fcntl.flock(mark, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    delete(other)
                finally:
                    os.close(mark)
        except OSError:
            pass  # it has no mark, is in use, or was deleted


def add_template(setup, number, folder):
    """Copies a template, which may change or be deleted afterwards."""
    target = os.path.join(setup.templates, number.decode())
    os.mkdir(target, 0o700)
    numbers = [os.open(path, FOLDER) for path in (folder, target)]
    copy(*numbers, setup.owner)
    if setup.owner is not None:
        os.chown(target, setup.owner, setup.owner)
    return []


def drop_template(setup, number):
    parent = os.open(setup.templates, FOLDER)
    remove(parent, number)
    return []


def connected(setup, channel):
    """Serves one that connected."""
    ends_with_parent()
    nothing = os.open(os.devnull, os.O_RDWR)
    for standard in 0, 1, 2:
        os.dup2(nothing, standard)
    os.close(nothing)
    questions = channel.makefile('rb')
    verb, fields = request(questions)
    try:
        if verb == b'workspace':
            place = setup.place()
            try:
                answer(channel, b'ok', [])
                Workspace(place, setup, channel).serve(questions)
            except EOFError:
                pass
            finally:
                place.leave()
        elif verb == b'add':
            answer(channel, b'ok', add_template(setup, *fields))
        elif verb == b'drop':
            answer(channel, b'ok', drop_template(setup, *fields))
    except OSError as failure:
        answer(channel, b'failed', [message(failure)])


def ended():
    """The children that ended."""
    try:
        child = os.waitpid(-1, os.WNOHANG)[0]
        while child:
            yield child
            child = os.waitpid(-1, os.WNOHANG)[0]
    except ChildProcessError:
        return


def serve(listener, setup):
    """Forks a process for each that connects; ends all when the input ends."""
    events = select.poll()
    events.register(0, select.POLLIN)
    events.register(listener, select.POLLIN)
    while True:
        for number, _ in events.poll(1000):
            if number == 0 and not os.read(0, 1 << 16):
                end_descendants()
                return
            if number == listener.fileno():
                channel, _ = listener.accept()
                if os.fork() == 0:
                    try:
                        listener.close()
                        connected(setup, channel)
                    finally:
                        os._exit(0)
                channel.close()
        for child in ended():
            slot = os.path.join(setup.folder, 'slots', str(child))
            if os.path.isdir(slot):
                delete(slot)


def main(*arguments):
    if os.getpid() != os.getsid(0):
        os.setsid()  # an interrupt at the terminal is not for these processes
    for number in signal.SIGINT, signal.SIGTERM, signal.SIGHUP:
        signal.signal(number, signal.SIG_DFL)  # which process 1 of a namespace then ignores from within
    setup = Setup(*arguments)
    os.chmod(setup.folder, 0o711)
    own(setup.folder)
    delete_stale(setup.folder)
    os.mkdir(os.path.join(setup.folder, 'slots'))
    os.chmod(os.path.join(setup.folder, 'slots'), 0o711)
    checked(LIBC.prctl(36, 1, 0, 0, 0))  # processes whose parent ended are its children
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(os.path.join(setup.folder, 'socket'))
    listener.listen(256)
    try:
        print(report(setup), flush=True)
        gc.collect()
        gc.freeze()
        serve(listener, setup)
    finally:
        delete(setup.folder)


main(*sys.argv[1:])
