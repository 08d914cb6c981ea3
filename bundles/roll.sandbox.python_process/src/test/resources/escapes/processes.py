#: forks | FAILED PermissionError | -
os.fork()
#: forks without end | FAILED PermissionError | -
while True: os.fork()
#: forks by the C library | FAILED PermissionError | -
call(57)
#: clones | FAILED PermissionError | -
call(56, 17, 0, 0, 0, 0)
#: clones by the newer call | FAILED OSError: [Errno 38] | -
call(435, ctypes.create_string_buffer(88), 88)
#: becomes another program | FAILED PermissionError | ANY
os.execv('/bin/true', ['true'])
#: starts a command | FAILED SystemError | ANY
if os.system('true'): raise SystemError('refused')
#: starts a process | FAILED PermissionError | ANY
import subprocess
subprocess.run(['/bin/true'])
#: spawns | FAILED PermissionError | ANY
os.posix_spawn('/bin/true', ['true'], {})
#: leaves a process behind | FAILED PermissionError | ANY
import subprocess
subprocess.Popen(['/bin/sleep', '3'], start_new_session=True)
#: starts a thread | FAILED RuntimeError | ANY
import threading
threading.Thread(target=int).start()
#: takes a pool of processes | FAILED OSError | ANY
import multiprocessing
multiprocessing.Pool(1)
#: kills a process | FAILED PermissionError | DONE
os.kill({pid}, 9)
#: kills by a handle | FAILED PermissionError | DONE
import signal
signal.pidfd_send_signal(os.pidfd_open({pid}), 9)
#: signals the virtual machine | FAILED PermissionError | DONE
os.kill({jvm}, 0)
#: signals all processes | FAILED PermissionError | DONE
os.kill(-1, 0)
#: signals its parent | FAILED PermissionError | DONE
os.kill(os.getppid(), 0)
#: queues a signal | FAILED PermissionError | ANY
call(129, {pid}, 9, ctypes.create_string_buffer(128))
#: lets signals be sent | FAILED PermissionError | ANY
import fcntl
fcntl.fcntl(0, 8, {pid})
#: traces a process | FAILED PermissionError | ANY
call(101, 16, {pid}, 0, 0)
#: reads another's memory | FAILED PermissionError | ANY
call(310, {jvm}, ctypes.create_string_buffer(32), 1, ctypes.create_string_buffer(32), 1, 0)
#: writes another's memory | FAILED PermissionError | ANY
call(311, {pid}, ctypes.create_string_buffer(32), 1, ctypes.create_string_buffer(32), 1, 0)
#: opens another's memory | FAILED OSError | ANY
open('/proc/{jvm}/mem', 'r+b')
#: reads another's environment | FAILED OSError | DONE
open('/proc/{jvm}/environ').read()
#: sees who runs | FAILED OSError | DONE
os.listdir('/proc')
#: slows another down | FAILED PermissionError | DONE
os.setpriority(os.PRIO_PROCESS, {pid}, 19)
#: moves another | FAILED PermissionError | DONE
os.sched_setaffinity({pid}, [0])
#: limits another | FAILED PermissionError | ANY
import resource
resource.prlimit({pid}, resource.RLIMIT_NOFILE, (5, 5))
#: lifts its own limits | FAILED ValueError | ANY
import resource
resource.setrlimit(resource.RLIMIT_AS, (-1, -1))
#: lifts its own limits by the C library | FAILED PermissionError | ANY
call(302, 0, 9, b'\377' * 16, 0)
#: becomes root | FAILED PermissionError | ANY
os.setuid(0)
#: takes capabilities | FAILED PermissionError | ANY
call(126, ctypes.create_string_buffer(8), ctypes.create_string_buffer(24))
#: enters namespaces | FAILED PermissionError | ANY
call(308, 0, 0)
#: makes namespaces | FAILED PermissionError | ANY
call(272, 0x10000000)
#: loads a program into the kernel | FAILED PermissionError | ANY
call(321, 99, ctypes.create_string_buffer(128), 128)
#: counts the kernel's events | FAILED PermissionError | ANY
call(298, ctypes.create_string_buffer(128), 0, -1, -1, 0)
#: handles page faults | FAILED PermissionError | ANY
call(323, 0)
#: reads keys | FAILED PermissionError | ANY
call(250, 0, -3, 0)
#: names the machine | FAILED PermissionError | -
call(170, b'x', 1)
#: restarts the machine | FAILED PermissionError | -
call(169, 1, 2, 3)
#: loads a module into the kernel | FAILED PermissionError | -
call(313, 0, b'', 0)
#: sets the clock | FAILED PermissionError | -
call(164, 0, 0)
#: leaves its session | FAILED PermissionError | ANY
os.setsid()
#: makes a timer that sends signals | FAILED PermissionError | ANY
call(222, 0, 0, ctypes.create_string_buffer(8))
