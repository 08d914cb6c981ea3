#: reads a file that all may read | FAILED FileNotFoundError | DONE
open('/etc/passwd').read()
#: reads a secret | FAILED FileNotFoundError | DONE
open('{secret}').read()
#: reads a secret by its descriptor's folder | FAILED OSError | DONE
root = os.open('/', os.O_RDONLY)
os.read(os.open('{secret}'[1:], os.O_RDONLY, dir_fd=root), 100)
#: lists the root | FAILED PermissionError | DONE
os.listdir('/')
#: lists a folder | FAILED FileNotFoundError | DONE
os.listdir('{open}')
#: writes a new file | FAILED OSError | FAILED OSError
with open('{open}/new', 'w') as f: f.write('here')
#: makes an empty file | FAILED OSError | DONE
os.open('{open}/empty', os.O_CREAT | os.O_WRONLY)
#: adds to a file | FAILED FileNotFoundError | FAILED OSError
with open('{victim}', 'a') as f: f.write('more')
#: truncates a file | FAILED PermissionError | DONE
os.truncate('{victim}', 0)
#: deletes a file | FAILED OSError | DONE
os.unlink('{victim}')
#: renames a file | FAILED OSError | DONE
os.rename('{victim}', '{victim}2')
#: deletes a tree | FAILED OSError | DONE
import shutil
shutil.rmtree('{open}')
#: changes a mode | FAILED OSError | DONE
os.chmod('{victim}', 0o777)
#: changes an owner | FAILED OSError | DONE
os.chown('{victim}', os.getuid(), os.getgid())
#: changes a time | FAILED OSError | DONE
os.utime('{victim}', (1, 1))
#: sets an attribute | FAILED OSError | ANY
os.setxattr('{victim}', 'user.x', b'1')
#: makes a symbolic link | FAILED OSError | DONE
os.symlink('/etc/passwd', '{open}/link')
#: makes a hard link | FAILED OSError | DONE
os.link('{victim}', '{open}/hard')
#: makes a folder | FAILED OSError | DONE
os.mkdir('{open}/folder')
#: makes a pipe with a name | FAILED OSError | DONE
os.mkfifo('{open}/pipe')
#: makes a device | FAILED OSError | ANY
os.mknod('{open}/device', 0o60600, os.makedev(254, 0))
#: reads a disk | FAILED OSError | ANY
open('/dev/vda', 'rb').read(1)
#: writes into the library | FAILED OSError | FAILED OSError
with open(os.__file__, 'r+') as library: library.write('#')
#: takes a temporary file | FAILED FileNotFoundError | FAILED OSError
import tempfile
tempfile.NamedTemporaryFile().write(b'a' * 10000)
#: shares memory by name | FAILED OSError | ANY
from multiprocessing import shared_memory
shared_memory.SharedMemory(name='roll-escape', create=True, size=10).unlink()
#: keeps a file in memory | FAILED PermissionError | ANY
os.memfd_create('x')
#: looks through its process's root | FAILED OSError | DONE
os.listdir('/proc/self/root/etc')
#: looks through another's root | FAILED OSError | ANY
os.listdir('/proc/{pid}/root/etc')
#: changes its root | FAILED PermissionError | ANY
os.chroot('/')
#: mounts | FAILED PermissionError | ANY
call(165, 0, b'/nowhere', 0, 0, 0)
#: mounts by file descriptors | FAILED PermissionError | ANY
call(428, -100, b'/', 0)
#: unmounts the root | FAILED PermissionError | FAILED OSError
call(166, b'/nowhere', 2)
#: opens by a handle | FAILED PermissionError | ANY
call(304, -100, ctypes.create_string_buffer(64), 0)
#: makes a ring of requests | FAILED PermissionError | ANY
call(425, 1, ctypes.create_string_buffer(120))
#: makes a database | FAILED OperationalError | FAILED OperationalError
import sqlite3
sqlite3.connect('{open}/data.db').execute('create table t (x)')
#: looks at the kernel | FAILED OSError | ANY
open('/sys/kernel/notes', 'rb').read()
