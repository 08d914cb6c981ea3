#: forks without end | (TIMEOUT|EXITED) .*
b() { b | b & }
b
sleep 600
#: forks without end in Python | (TIMEOUT|EXITED) .*
python3 -c '
import os
while True:
    try: os.fork()
    except OSError: pass'
#: starts threads without end | EXITED 1 .*RuntimeError.*
python3 -c '
import threading, time
while True: threading.Thread(target=time.sleep, args=[600], daemon=True).start()'
#: fills the disk | EXITED 1 .*No space left on device.*
dd if=/dev/zero of=big bs=1M count=400 2>&1
#: fills the disk by many files | EXITED 1 .*No space left on device.*
for i in 1 2 3 4 5 6 7 8; do dd if=/dev/zero of=big$i bs=1M count=50 || exit; done 2>&1
#: fills the folders for temporary files | EXITED 1 .*No space left on device.*
for f in /tmp/a /dev/shm/b /var/tmp/c $HOME/d; do dd if=/dev/zero of=$f bs=1M count=100 || exit; done 2>&1
#: makes a million files | EXITED 1 .*Errno 28.*
python3 -c '
for i in range(10**6): open(f"f{i}", "w").close()'
#: makes deep folders | EXITED [01] .*
python3 -c '
import os
for i in range(5000):
    os.mkdir("d"); os.chdir("d")'
#: makes deep folders of long names | EXITED [01] .*
python3 -c '
import os
for i in range(300):
    os.mkdir("d" * 250); os.chdir("d" * 250)'
#: makes folders that none may enter | EXITED 0 .*
mkdir -p a/b/c; touch a/b/c/d; chmod 0 a/b/c a/b a; rm readme
#: uses names of all bytes | EXITED 0 .*
python3 -c '
import os
for name in b"a\nb", b"\xff\xfe", b"-rf", b"a\tb c", b"\xc3", b"*": open(name, "w").close()'
#: takes all memory | MEMORY .*
python3 -c '
x = []
while True: x.append(bytearray(10**7))'
#: takes all memory in many processes | MEMORY .*
python3 -c '
import os, time
for i in range(20):
    if os.fork() == 0:
        x = os.urandom(60 << 20); time.sleep(600)
time.sleep(600)'
#: takes memory that is shared | MEMORY .*
python3 -c '
import mmap, time
m = [mmap.mmap(-1, 100 << 20) for _ in range(10)]
for x in m:
    for i in range(0, 100 << 20, 4096): x[i] = 1
time.sleep(600)'
#: takes memory of no process | EXITED 1 .*Errno 38.*
python3 -c '
import os
os.memfd_create("x")'
#: takes shared memory of no process | EXITED 0 -1 38.*
python3 -c '
import ctypes
c = ctypes.CDLL(None, use_errno=True)
print(c.shmget(0, 1 << 20, 0o1600), ctypes.get_errno())'
#: opens all descriptors | EXITED 1 .*Errno 24.*
python3 -c '
import os
x = [os.pipe() for _ in range(10 ** 4)]'
#: writes without end | TIMEOUT .*
yes
#: writes without end, and ends | EXITED 0 .*
yes > /dev/null & head -c 50000000 /dev/zero
#: ignores signals | TIMEOUT .*
trap '' TERM INT HUP QUIT
while :; do sleep 1; done
#: leaves a process in a session of its own | EXITED 0 left.*
setsid sh -c 'sleep 300; touch late' > /dev/null 2>&1 &
echo left
#: leaves a process by two forks | EXITED 0 left.*
python3 -c '
import os, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        while True: time.sleep(1)
    os._exit(0)
print("left")'
#: leaves a process that holds its output | EXITED 0 left.*
(trap '' TERM HUP; sleep 300) &
echo left
#: closes its output | TIMEOUT .*
exec > /dev/null 2>&1
sleep 600
#: stops itself | TIMEOUT .*
kill -STOP $$
#: ends all processes but itself | EXITED 1 .*
kill -9 -1
#: ends its parent | EXITED [01] .*alive.*
kill -9 $PPID; kill -TERM $PPID; kill -INT $PPID; kill -STOP $PPID; kill -HUP 1; kill -9 1; kill -SEGV 1
echo alive
#: limits its parent | EXITED 1 .*PermissionError.*
python3 -c '
import os, resource
resource.prlimit(os.getppid() if os.getppid() == 1 else 1, resource.RLIMIT_NOFILE, (0, 0))'
#: lifts its limits | EXITED [12] .*
ulimit -d unlimited || exit 1
#: reads the memory of its parent | EXITED 1 .*(PermissionError|FileNotFoundError).*
python3 -c '
open("/proc/1/mem", "rb").read(1)'
#: reads the environment of its parent | EXITED [12] .*
cat /proc/1/environ
#: reads the files of its parent | EXITED [12] .*
ls /proc/1/root/ /proc/1/fd
#: leaves by the directory of its parent | EXITED [12] .*
ls /proc/1/cwd/
#: sees processes of this machine | EXITED 0 0.*
ls -d /proc/{jvm} /proc/{pid} 2>/dev/null | wc -l
#: ends a process of this machine | EXITED 1 .*
kill -9 {pid}
#: reads a secret | EXITED 1 .*
cat {secret}
#: reads a file of this machine | EXITED 1 .*
cat {victim}
#: writes a file of this machine | EXITED [12] .*
echo x > {victim}
#: makes a file of this machine | EXITED 1 .*
touch {open}/new
#: follows a link to a secret | EXITED 1 .*
ln -s {secret} link; ln -s {open} folder; echo x > folder/new; cat link
#: leaves by dots | EXITED 1 .*
cat ../../../../../../../../../../../../{secret}
#: writes to programs | EXITED [12] .*
echo x > /usr/bin/x
#: deletes programs | EXITED 1 .*
rm -rf /usr/bin /bin /lib
#: deletes all | EXITED 1 .*
rm -rf --no-preserve-root /
#: deletes the workspace | EXITED [012] .*
rm -rf "$PWD" ./* ./.[!.]*
#: connects to a server | EXITED 1 .*(ConnectionRefusedError|PermissionError).*
python3 -c '
import socket
socket.create_connection(("127.0.0.1", {port}), 5)'
#: connects to a server by a file | EXITED 1 .*(FileNotFoundError|PermissionError).*
python3 -c '
import socket
socket.socket(socket.AF_UNIX).connect("{socket}")'
#: connects to the machine below | EXITED 1 .*PermissionError.*
python3 -c '
import socket
socket.socket(40, socket.SOCK_STREAM)'
#: captures packets | EXITED 1 .*PermissionError.*
python3 -c '
import socket
socket.socket(socket.AF_PACKET, socket.SOCK_RAW)'
#: resolves a name | EXITED [12] .*
python3 -c '
import socket
socket.getaddrinfo("example.org", 80)'
#: makes a device | EXITED 1 .*
mknod disk b 8 0
#: reads messages of the kernel | EXITED 1 .*
cat /dev/kmsg || cat /proc/kmsg
#: becomes root | EXITED 1 .*
su -c id
#: makes a program that sets the user | EXITED 0 1000.*
cp /usr/bin/id mine; chmod 4755 mine; ./mine -u
#: mounts | EXITED (1|32) .*
mount -t tmpfs x /tmp
#: makes namespaces | EXITED 1 .*
unshare -U true
#: makes namespaces by a clone | EXITED 0 -1 1.*
python3 -c '
import ctypes
c = ctypes.CDLL(None, use_errno=True)
print(c.syscall(56, 0x10000011, 0, 0, 0, 0), ctypes.get_errno())'
#: enters namespaces | EXITED 1 .*
nsenter -t 1 -m true
#: leaves its root | EXITED 1 .*
python3 -c '
import os
os.mkdir("x"); os.chroot("x")'
#: traces a process | EXITED 0 -1 1.*
python3 -c '
import ctypes
c = ctypes.CDLL(None, use_errno=True)
print(c.syscall(101, 16, 1, 0, 0), ctypes.get_errno())'
#: loads a program into the kernel | EXITED 0 -1 1.*
python3 -c '
import ctypes
c = ctypes.CDLL(None, use_errno=True)
print(c.syscall(321, 0, 0, 0), ctypes.get_errno())'
#: uses rings of requests | EXITED 0 -1 1.*
python3 -c '
import ctypes
c = ctypes.CDLL(None, use_errno=True)
print(c.syscall(425, 8, 0), ctypes.get_errno())'
#: reads keys | EXITED 0 -1 1.*
python3 -c '
import ctypes
c = ctypes.CDLL(None, use_errno=True)
print(c.syscall(250, 0, -3, 0), ctypes.get_errno())'
#: uses the calls of another architecture | EXITED (159|0) .*
python3 -c '
import ctypes
c = ctypes.CDLL(None, use_errno=True)
print(c.syscall(0x40000000 + 165, 0, 0, 0, 0, 0), ctypes.get_errno())'
#: sets parameters of the kernel | EXITED [12] .*
echo x > /proc/sys/kernel/core_pattern
#: asks the kernel to act | EXITED [12] .*
echo b > /proc/sysrq-trigger
#: waits for a pipe | TIMEOUT .*
mkfifo pipe; cat pipe
#: looks for keys | EXITED 1 .*
env | grep -iE 'key|token|secret|java'
