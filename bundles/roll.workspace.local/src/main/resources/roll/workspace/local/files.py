# Files of a folder, whose links lead nowhere else. Paths are bytes.
OPENAT2 = 437
NO_MAGIC_LINKS, NO_LINKS, BENEATH, IN_ROOT = 0x02, 0x04, 0x08, 0x10
FOLDER = os.O_PATH | os.O_DIRECTORY


class How(ctypes.Structure):
    _fields_ = [('flags', ctypes.c_uint64), ('mode', ctypes.c_uint64), ('resolve', ctypes.c_uint64)]


def open_at(folder, path, flags, resolve):
    more = os.O_CLOEXEC if flags & os.O_PATH else os.O_CLOEXEC | os.O_NONBLOCK | os.O_NOCTTY  # never waits
    how = How(flags | more, 0, resolve)
    return checked(LIBC.syscall(OPENAT2, folder, path, ctypes.byref(how), ctypes.c_size_t(24)))


def beneath(folder, path, flags):
    """Opens what is at a path that has no links."""
    return open_at(folder, path or b'.', flags | os.O_NOFOLLOW, BENEATH | NO_LINKS)


def walk(folder, start=b''):
    """The paths beneath a path of a folder with their status, folders before what is in them."""
    pending = [start]
    while pending:
        path = pending.pop()
        number = beneath(folder, path, os.O_RDONLY | os.O_DIRECTORY)
        try:
            with os.scandir(number) as entries:
                for entry in entries:
                    status = entry.stat(follow_symlinks=False)
                    below = os.path.join(path, os.fsencode(entry.name))
                    yield below, status
                    if stat.S_ISDIR(status.st_mode):
                        pending.append(below)
        finally:
            os.close(number)


def remove(parent, name):
    """Deletes a folder however deep it is; nothing else may change it."""
    descend = lambda above, child: os.open(child, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=above)
    here, names = descend(parent, name), [name]
    while names:
        below = None
        with os.scandir(here) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    below = entry.name
                    break
                os.unlink(entry.name, dir_fd=here)
        if below is not None:
            os.chmod(below, 0o700, dir_fd=here)
            above, here = here, descend(here, below)
            os.close(above)
            names.append(below)
        else:
            above = os.open('..', os.O_RDONLY | os.O_DIRECTORY, dir_fd=here) if len(names) > 1 else parent
            os.close(here)
            os.rmdir(names.pop(), dir_fd=above)
            here = above


def copy_file(source, target):
    """Copies the content of one descriptor to another, by sharing blocks where the file system can."""
    try:
        fcntl.ioctl(target, 0x40049409, source)
        return
    except OSError:
        pass
    while os.sendfile(target, source, None, 1 << 30):
        pass


def copy(source, target, owner=None):
    """Copies what is in a folder to an empty one: files, links and folders with modes and times, nothing else."""
    times = []
    for path, status in walk(source):
        above, name = os.path.split(path)
        parent, mode = beneath(target, above, FOLDER), stat.S_IMODE(status.st_mode) & 0o777
        try:
            if stat.S_ISDIR(status.st_mode):
                os.mkdir(name, mode | 0o700, dir_fd=parent)
                times.append((path, status))
            elif stat.S_ISLNK(status.st_mode):
                link = beneath(source, path, os.O_PATH)
                os.symlink(os.readlink(b'', dir_fd=link), name, dir_fd=parent)
                os.close(link)
            elif stat.S_ISREG(status.st_mode):
                number = beneath(source, path, os.O_RDONLY)
                made = os.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode | 0o200, dir_fd=parent)
                copy_file(number, made)
                os.fchmod(made, mode)
                os.close(number)
                os.close(made)
            else:
                continue
            if owner is not None:
                os.chown(name, owner, owner, dir_fd=parent, follow_symlinks=False)
            os.utime(name, ns=(status.st_atime_ns, status.st_mtime_ns), dir_fd=parent, follow_symlinks=False)
        finally:
            os.close(parent)
    for path, status in times:
        os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns), dir_fd=target)


class Files:
    """The files of a directory as commands see them, which have root as their root."""

    def __init__(self, root, directory):
        self.root, self.directory = root, directory
        self.place = os.path.normpath(root + directory)
        self.number = os.open(root or b'/', FOLDER)

    def opened(self, path, flags):
        """Opens what is at a path; refuses what is not in the directory."""
        number = open_at(self.number, os.path.join(self.directory, path), flags, IN_ROOT | NO_MAGIC_LINKS)
        place = os.readlink(self.root + b'/proc/self/fd/%d' % number)
        if place != self.place and not place.startswith(self.place + b'/'):
            os.close(number)
            raise OSError(errno.EACCES, 'leads outside of the workspace')
        return number

    def regular(self, path, flags):
        """Opens a regular file."""
        number = self.opened(path, flags)
        if not stat.S_ISREG(os.fstat(number).st_mode):
            os.close(number)
            raise OSError(errno.EINVAL, 'not a regular file')
        return number

    def read(self, path, limit):
        number = self.regular(path, os.O_RDONLY)
        with open(number, 'rb') as file:
            content = file.read(limit + 1)
        if len(content) > limit:
            raise OSError(errno.EFBIG, f'longer than {limit} bytes')
        return content

    def folder(self, path):
        """Opens a folder, which is made with those above it where it is missing."""
        try:
            return self.opened(path, FOLDER)
        except FileNotFoundError:
            above, name = os.path.split(path.rstrip(b'/'))
            if not name:
                raise
            parent = self.folder(above)
            os.mkdir(name, 0o755, dir_fd=parent)
            os.close(parent)
            return self.opened(path, FOLDER)

    def write(self, path, content):
        """Writes a file, which keeps its mode if it exists."""
        try:
            number = self.regular(path, os.O_WRONLY)
        except FileNotFoundError:
            number = self.created(path, 0o644)
        with open(number, 'wb') as file:
            file.truncate()
            file.write(content)

    def created(self, path, mode):
        above, name = os.path.split(path)
        parent = self.folder(above)
        number = os.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode, dir_fd=parent)
        os.close(parent)
        return number

    def put(self, kind, path, mode, content):
        """Makes a folder, or a file or link in the place of one that is there."""
        above, name = os.path.split(path.rstrip(b'/'))
        if kind == b'folder':
            os.close(self.folder(path))
            return
        parent = self.folder(above)
        try:
            os.unlink(name, dir_fd=parent)
        except FileNotFoundError:
            pass
        if kind == b'link':
            os.symlink(content, name, dir_fd=parent)
        else:
            with open(self.created(path, 0o600), 'wb') as file:
                file.write(content)
                os.fchmod(file.fileno(), mode & 0o777)
        os.close(parent)
