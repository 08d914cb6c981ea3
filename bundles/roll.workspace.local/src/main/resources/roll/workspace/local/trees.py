# The files of a workspace as an overlay over the template, or as a copy of it; their snapshots and differences.
LAYERS = 64  # snapshots of a workspace: the kernel's limit is the length of the list of layers


def file_at(folder, path):
    """A descriptor and the status of what is at a path and no folder, or None."""
    try:
        number = beneath(folder, path, os.O_PATH)
    except OSError as failure:
        if failure.errno in (errno.ENOENT, errno.ENOTDIR, errno.ELOOP):
            return None
        raise
    status = os.fstat(number)
    if stat.S_ISDIR(status.st_mode):
        os.close(number)
        return None
    return number, status


def files(folder, start):
    """The paths of the files of a folder at or beneath a path."""
    file = file_at(folder, start) if start else None
    if file:
        os.close(file[0])
        return [start]
    try:
        return [path for path, status in walk(folder, start) if not stat.S_ISDIR(status.st_mode)]
    except (FileNotFoundError, NotADirectoryError):
        return []


def same(path, before, after):
    """Whether the file at a path of two folders has one type, mode and content."""
    (_, first), (link, second) = before[1], after[1]
    if first.st_mode != second.st_mode:
        return False
    if stat.S_ISLNK(first.st_mode):
        return os.readlink(b'', dir_fd=before[1][0]) == os.readlink(b'', dir_fd=link)
    if not stat.S_ISREG(first.st_mode):
        return True
    if first.st_size != second.st_size:
        return False
    with open(beneath(before[0], path, os.O_RDONLY), 'rb') as one, open(beneath(after[0], path, os.O_RDONLY), 'rb') as two:
        while True:
            part = one.read(1 << 18)
            if part != two.read(1 << 18):
                return False
            if not part:
                return True


def differences(template, present, candidates):
    """Names and paths of the candidates that differ in two folders."""
    changes = []
    for path in sorted(candidates):
        before, after = file_at(template, path), file_at(present, path)
        try:
            if before is None and after is not None:
                changes += [b'ADDED', path]
            elif before is not None and after is None:
                changes += [b'DELETED', path]
            elif before is not None and not same(path, (template, before), (present, after)):
                changes += [b'MODIFIED', path]
        finally:
            for file in before, after:
                if file:
                    os.close(file[0])
    return changes


class Overlay:
    """An overlay of the template, the layers of snapshots, and one that is written, all of them in a scratch folder."""

    def __init__(self, template, scratch, target):
        self.template, self.scratch, self.target = template, scratch, target
        self.lower, self.number, self.snapshots = [template], 0, []
        self.begin()

    def layer(self, number, part):
        return os.path.join(self.scratch, b'layers', b'%d' % number, part)

    def begin(self):
        upper, work = self.layer(self.number, b'files'), self.layer(self.number, b'work')
        os.makedirs(upper)
        os.mkdir(work)
        data = b'lowerdir=%s,upperdir=%s,workdir=%s,userxattr' % (b':'.join(self.lower), upper, work)
        checked(LIBC.mount(b'overlay', self.target, b'overlay', 6, data))

    def end(self):
        checked(LIBC.umount2(self.target, 2))

    def snapshot(self):
        if len(self.snapshots) == LAYERS:
            raise OSError(errno.ENOSPC, f'a workspace has at most {LAYERS} snapshots')
        self.end()
        self.lower.insert(0, self.layer(self.number, b'files'))
        self.snapshots.append(list(self.lower))
        self.number += 1
        self.begin()
        return len(self.snapshots)

    def restore(self, number):
        self.end()
        layers = os.open(os.path.join(self.scratch, b'layers'), FOLDER)
        remove(layers, b'%d' % self.number)
        os.close(layers)
        self.lower = list(self.snapshots[number - 1])
        self.number += 1
        self.begin()

    def candidates(self, template):
        """The paths that a layer has, and those of the template that it hides."""
        paths = set()
        for folder in [self.layer(self.number, b'files'), *self.lower[:-1]]:
            layer = os.open(folder, FOLDER)
            for path, status in walk(layer):
                if not stat.S_ISDIR(status.st_mode):
                    paths.add(path)
                    paths.update(files(template, path))
                elif self.hides(layer, path):
                    paths.update(files(template, path))
            os.close(layer)
        return paths

    @staticmethod
    def hides(layer, path):
        number = beneath(layer, path, os.O_RDONLY | os.O_DIRECTORY)
        try:
            return os.getxattr(number, 'user.overlay.opaque') == b'y'
        except OSError:
            return False
        finally:
            os.close(number)


class Copies:
    """A copy of the template, and a copy per snapshot in a scratch folder."""

    def __init__(self, template, scratch, target):
        self.scratch, self.target, self.snapshots = scratch, target, 0
        self.copied(template, target)

    def copied(self, source, target):
        numbers = [os.open(folder, FOLDER) for folder in (source, target)]
        copy(*numbers)
        for number in numbers:
            os.close(number)

    def kept(self, number):
        return os.path.join(self.scratch, b'layers', b'%d' % number)

    def snapshot(self):
        os.makedirs(self.kept(self.snapshots + 1))
        self.copied(self.target, self.kept(self.snapshots + 1))
        self.snapshots += 1
        return self.snapshots

    def restore(self, number):
        target = os.open(self.target, os.O_RDONLY | os.O_DIRECTORY)
        with os.scandir(target) as entries:
            for entry in list(entries):
                if entry.is_dir(follow_symlinks=False):
                    os.chmod(entry.name, 0o700, dir_fd=target)
                    remove(target, entry.name)
                else:
                    os.unlink(entry.name, dir_fd=target)
        os.close(target)
        self.copied(self.kept(number), self.target)

    def candidates(self, template):
        target = os.open(self.target, FOLDER)
        try:
            return {*files(template, b''), *files(target, b'')}
        finally:
            os.close(target)


def diff(tree, template):
    """Names and paths of the files of a tree that differ from the template."""
    folders = [os.open(folder, FOLDER) for folder in (template, tree.target)]
    try:
        return differences(*folders, tree.candidates(folders[0]))
    finally:
        for number in folders:
            os.close(number)
