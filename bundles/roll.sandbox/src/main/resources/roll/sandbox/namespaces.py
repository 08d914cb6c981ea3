# Processes, a network, a user and a file system of its own.
import signal, sys

NOBODY = 65534
USER = 0x10000000
SPACES = {'pid': 0x20000000, 'network': 0x40000000, 'mount': 0x20000, 'ipc': 0x8000000, 'uts': 0x4000000}
LIBRARIES = ['/lib', '/lib64', '/usr/lib', '/usr/lib64', '/usr/local/lib', '/etc/ld.so.cache', '/usr/share/zoneinfo']
DEVICES = ['/dev/null', '/dev/zero', '/dev/urandom', '/dev/random']


def follow():
    """Continues in a child that ends with this process; the parent waits for its end."""
    child = os.fork()
    if child:
        os.waitpid(child, 0)
        return False
    LIBC.prctl(1, signal.SIGKILL, 0, 0, 0)
    return True


def libraries():
    """What a program may read: the interpreter's own folders, and the shared libraries of the system."""
    own = [path for path in sys.path if os.path.isabs(path)]
    return [path for path in dict.fromkeys(LIBRARIES + own) if os.path.exists(path)]


def own_user(number=NOBODY):
    """Gives up being root."""
    os.setgroups([])
    os.setresgid(number, number, number)
    os.setresuid(number, number, number)


def unshare():
    """Namespaces for the processes to come: as root directly, else in one of users."""
    if os.getuid() == 0 and LIBC.unshare(sum(SPACES.values())) == 0:
        return
    if os.getuid() == 0:
        try:
            own_user()
        except OSError:
            pass  # root by name alone, as in a container
    unshare_users(SPACES.values(), os.getuid(), os.getgid())


def unshare_users(spaces, user, group):
    """Namespaces in one of users, where this process has the numbers user and group."""
    maps = ('setgroups', 'deny'), ('uid_map', f'{user} {os.getuid()} 1'), ('gid_map', f'{group} {os.getgid()} 1')
    checked(LIBC.unshare(USER | sum(spaces)))
    checked(LIBC.prctl(4, 1, 0, 0, 0))  # else the files in /proc of one that changed its user are root's
    for name, text in maps:
        with open('/proc/self/' + name, 'w') as file:
            file.write(text)


def mount(source, target, kind, flags, data=None):
    checked(LIBC.mount(source, target.encode(), kind, flags, data))


def restrict_mounts(target):
    """Makes a mount and those beneath it read-only and without set-user-id programs."""
    attributes = (ctypes.c_uint64 * 4)(1 | 2, 0, 0, 0)
    checked(LIBC.syscall(442, -100, target.encode(), 0x8000, ctypes.byref(attributes), ctypes.c_size_t(32)))


def found(paths):
    """What is at the paths, by path: the text of a link, or whether it is a folder, and a descriptor."""
    links = {path: os.readlink(path) for path in paths if os.path.islink(path)}
    others = [path for path in paths if path not in links]
    return links, {path: (os.path.isdir(path), os.open(path, os.O_PATH)) for path in others}


def show(links, sources, place):
    """Mounts what was found at its path beneath a place."""
    for path in sorted(sources):
        is_folder, number = sources[path]
        target = place + path
        if not os.path.lexists(target):  # else it is in a folder that is there already
            os.makedirs(os.path.dirname(target), exist_ok=True)
            if is_folder:
                os.mkdir(target)
            else:
                os.close(os.open(target, os.O_CREAT | os.O_WRONLY))
            mount(b'/proc/self/fd/%d' % number, target, None, 0x5000)
        os.close(number)
    for path, to in links.items():
        os.makedirs(os.path.dirname(place + path), exist_ok=True)
        if not os.path.lexists(place + path):
            os.symlink(to, place + path)


def enter(place):
    """Makes a mount the root of this process and forgets the rest."""
    os.chdir(place)
    checked(LIBC.pivot_root(b'.', b'.'))
    checked(LIBC.umount2(b'.', 2))
    os.chdir('/')


def own_root(readable):
    """Leaves a read-only file system with only the readable paths."""
    mount(None, '/', None, 0x44000)  # what is mounted from here on is seen nowhere else
    links, sources = found(readable)
    mount(b'tmpfs', '/tmp', b'tmpfs', 6, b'size=1m,mode=755')  # no set-user-id programs, no devices
    show(links, sources, '/tmp')
    restrict_mounts('/tmp')
    enter('/tmp')


def no_capabilities():
    """Gives up what a namespace of users gave."""
    header, data = (ctypes.c_uint32 * 2)(0x20080522, 0), (ctypes.c_uint32 * 6)()
    checked(LIBC.capset(ctypes.byref(header), ctypes.byref(data)))
