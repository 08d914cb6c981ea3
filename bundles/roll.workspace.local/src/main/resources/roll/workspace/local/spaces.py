# A workspace in namespaces: process 1 sees the templates and the layers at its root; commands have ROOT as theirs.
ROOT, SKELETON, SCRATCH, TEMPLATES = '/root', '/skeleton', '/scratch', '/templates'
PROGRAMS = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32']
SETTINGS = '''alternatives ca-certificates crypto-policies inputrc java-17-openjdk java-21-openjdk ld.so.cache ld.so.conf
ld.so.conf.d localtime magic mime.types perl pki protocols python3 python3.9 python3.10 python3.11 python3.12 python3.13
python3.14 services shells ssl terminfo'''
ACCOUNT = 1000  # user and group of commands
HOME = '/home/user'
OWN_SETTINGS = {
    'passwd': f'user:x:{ACCOUNT}:{ACCOUNT}::{HOME}:/bin/sh\nnobody:x:65534:65534::/:/bin/false\n',
    'group': f'user:x:{ACCOUNT}:\nnogroup:x:65534:\n',
    'hosts': '127.0.0.1 localhost\n::1 localhost\n',
    'nsswitch.conf': 'passwd: files\ngroup: files\nhosts: files dns\n',
}


def loopback_up():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as end:
        flags = 1 | 1 << 6  # up and running
        fcntl.ioctl(end, 0x8914, b'lo'.ljust(16, b'\0') + flags.to_bytes(2, sys.byteorder) + bytes(22))


def text_of(path):
    try:
        with open(path) as file:
            return file.read()
    except OSError:
        return ''


class Spaces:
    """What process 1 of namespaces knows of its commands."""
    proc = ROOT + '/proc'

    def __init__(self, setup):
        self.setup, self.directory = setup, None
        self.filter = call_filter(refusals(FAMILIES))
        own = dict(OWN_SETTINGS)
        if setup.network:
            own.update({name: text_of('/etc/' + name) for name in ('hosts', 'resolv.conf')})
        self.build(own)
        if not setup.network:
            loopback_up()
        checked(LIBC.prctl(4, 0, 0, 0, 0))  # commands do not see what this process has

    def build(self, own):
        with open('/proc/self/oom_score_adj', 'w') as file:
            file.write('1000')  # commands are what the kernel ends first
        mount(None, '/', None, 0x44000)  # what is mounted from here on is seen nowhere else
        settings = ['/etc/' + name for name in SETTINGS.split()]
        view = [path for path in PROGRAMS + settings + self.setup.readable if os.path.exists(path)]
        links, sources = found(view)
        devices = found(DEVICES + [path for path in ('/dev/full', '/dev/tty') if os.path.exists(path)])
        templates = os.open('.', os.O_PATH)
        mount(b'tmpfs', '/tmp', b'tmpfs', 6, b'size=1m,mode=755')
        root = '/tmp' + ROOT
        for name in ROOT, SKELETON, SCRATCH, TEMPLATES:
            os.mkdir('/tmp' + name)
        mount(b'/proc/self/fd/%d' % templates, '/tmp' + TEMPLATES, None, 0x5000)
        os.close(templates)
        restrict_mounts('/tmp' + TEMPLATES)
        mount(('/tmp' + SKELETON).encode(), root, None, 0x1000)
        for name in 'dev', 'dev/shm', 'dev/pts', 'etc', 'home', HOME[1:], 'proc', 'tmp', 'run', 'var', 'var/tmp':
            os.mkdir(f'{root}/{name}')
        for name, text in own.items():
            with open(f'{root}/etc/{name}', 'w') as file:
                file.write(text)
        for name, to in ('fd', ''), ('stdin', '/0'), ('stdout', '/1'), ('stderr', '/2'):
            os.symlink('/proc/self/fd' + to, f'{root}/dev/{name}')
        show(links, sources, root)
        show(*devices, root)
        mount(b'proc', root + '/proc', b'proc', 14)
        restrict_mounts(root)
        self.scratch(root)
        enter('/tmp')

    def scratch(self, root):
        """What commands may write, all of it within the limit of disk."""
        inodes = max(10000, self.setup.disk >> 12)
        data = b'size=%d,nr_inodes=%d,mode=755' % (self.setup.disk, inodes)
        mount(b'tmpfs', '/tmp' + SCRATCH, b'tmpfs', 6, data)
        for name, target in ('home', HOME), ('tmp', '/tmp'), ('var', '/var/tmp'), ('shm', '/dev/shm'):
            os.mkdir(f'/tmp{SCRATCH}/{name}')
            mount(f'/tmp{SCRATCH}/{name}'.encode(), root + target, None, 0x1000)

    def take(self, number, directory):
        """Shows a template at a directory."""
        self.directory = directory = directory or b'/workspace'
        target = ROOT.encode() + directory
        if not os.path.isdir(target):
            for base in ROOT, SKELETON:
                try:
                    os.makedirs(base.encode() + directory, exist_ok=True)
                    break
                except OSError as failure:
                    if failure.errno != errno.EROFS:
                        raise
        template = b'%s/%d' % (TEMPLATES.encode(), number)
        if self.setup.overlays:
            return template, Overlay(template, SCRATCH.encode(), target)
        os.makedirs(SCRATCH.encode() + b'/files')
        checked(LIBC.mount(SCRATCH.encode() + b'/files', target, None, 0x1000, None))
        return template, Copies(template, SCRATCH.encode(), target)

    def files(self):
        return Files(ROOT.encode(), self.directory)

    def variables(self):
        return {**VARIABLES, 'HOME': HOME, 'USER': 'user', 'TMPDIR': '/tmp'}

    def others(self):
        return [name for name in os.listdir(self.proc) if name.isdigit() and name != '1']

    def end(self, reap):
        try:
            os.kill(-1, signal.SIGKILL)
        except ProcessLookupError:
            pass
        reap(0)

    def leave(self):
        """All ends with process 1."""

    def shut_in(self, bound):
        os.chroot(ROOT)
        os.chdir(self.directory)
        bound()
        no_capabilities()
        install(self.filter)
