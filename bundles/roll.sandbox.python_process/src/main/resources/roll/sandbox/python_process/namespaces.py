# Processes, a network, a user and a file system of its own.
import sys

NOBODY = 65534
USER = 0x10000000
SPACES = {'pid': 0x20000000, 'network': 0x40000000, 'mount': 0x20000, 'ipc': 0x8000000, 'uts': 0x4000000}
LIBRARIES = ['/lib', '/lib64', '/usr/lib', '/usr/lib64', '/usr/local/lib', '/etc/ld.so.cache', '/usr/share/zoneinfo']
DEVICES = ['/dev/null', '/dev/zero', '/dev/urandom', '/dev/random']


def libraries():
    """What a program may read: the interpreter's own folders, and the shared libraries of the system."""
    own = [path for path in sys.path if os.path.isabs(path)]
    return [path for path in dict.fromkeys(LIBRARIES + own) if os.path.exists(path)]


def own_user():
    """Gives up being root."""
    os.setgroups([])
    os.setresgid(NOBODY, NOBODY, NOBODY)
    os.setresuid(NOBODY, NOBODY, NOBODY)


def unshare():
    """Namespaces for the processes to come: as root directly, else in one of users."""
    if os.getuid() == 0 and LIBC.unshare(sum(SPACES.values())) == 0:
        return
    if os.getuid() == 0:
        try:
            own_user()
        except OSError:
            pass  # root by name alone, as in a container
    user, group = os.getuid(), os.getgid()
    checked(LIBC.unshare(USER | sum(SPACES.values())))
    for name, text in ('setgroups', 'deny'), ('uid_map', f'{user} {user} 1'), ('gid_map', f'{group} {group} 1'):
        with open('/proc/self/' + name, 'w') as file:
            file.write(text)


def mount(source, target, kind, flags, data=None):
    checked(LIBC.mount(source, target.encode(), kind, flags, data))


def own_root(readable):
    """Leaves a read-only file system with only the readable paths."""
    mount(None, '/', None, 0x44000)  # what is mounted from here on is seen nowhere else
    links = {path: os.readlink(path) for path in readable if os.path.islink(path)}
    folders = {path for path in readable if os.path.isdir(path)}
    sources = {path: os.open(path, os.O_PATH) for path in readable if path not in links}
    mount(b'tmpfs', '/tmp', b'tmpfs', 6, b'size=1m,mode=755')  # no set-user-id programs, no devices
    for path in sorted(sources):
        target = '/tmp' + path
        if not os.path.lexists(target):  # else it is in a folder that is there already
            os.makedirs(os.path.dirname(target), exist_ok=True)
            if path in folders:
                os.mkdir(target)
            else:
                os.close(os.open(target, os.O_CREAT | os.O_WRONLY))
            mount(b'/proc/self/fd/%d' % sources[path], target, None, 0x5000)
        os.close(sources[path])
    for path, to in links.items():
        os.makedirs(os.path.dirname('/tmp' + path), exist_ok=True)
        if not os.path.lexists('/tmp' + path):
            os.symlink(to, '/tmp' + path)
    attributes = (ctypes.c_uint64 * 4)(1 | 2, 0, 0, 0)  # read only, no set-user-id programs
    checked(LIBC.syscall(442, -100, b'/tmp', 0x8000, ctypes.byref(attributes), ctypes.c_size_t(32)))
    os.chdir('/tmp')
    checked(LIBC.pivot_root(b'.', b'.'))
    checked(LIBC.umount2(b'.', 2))
    os.chdir('/')


def no_capabilities():
    """Gives up what a namespace of users gave."""
    header, data = (ctypes.c_uint32 * 2)(0x20080522, 0), (ctypes.c_uint32 * 6)()
    checked(LIBC.capset(ctypes.byref(header), ctypes.byref(data)))
