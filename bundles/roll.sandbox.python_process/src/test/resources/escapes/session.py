#: looks for keys in the environment | FAILED KeyError | FAILED KeyError
os.environ['PATH']
#: looks for a home | FAILED KeyError | FAILED KeyError
os.environ['HOME']
#: answers for itself | FAILED SystemExit | FAILED SystemExit
for d in range(3, 64):
    try: os.write(d, b'E 0 DONE 0\n')
    except OSError: pass
#: answers without end | FAILED SystemExit | FAILED SystemExit
for d in range(3, 64):
    try:
        while True: os.write(d, b'O 60\n' + b'x' * 60)
    except OSError: pass
#: answers with a huge length | FAILED SystemExit | FAILED SystemExit
for d in range(3, 64):
    try: os.write(d, b'O 999999999\n')
    except OSError: pass
#: answers for a program to come | FAILED SystemExit | FAILED SystemExit
for d in range(3, 64):
    try: os.write(d, b'E ' + b'0' * 32 + b' DONE 0\n')
    except OSError: pass
#: closes all it has | FAILED SystemExit | FAILED SystemExit
os.closerange(0, 64)
#: ends itself | FAILED SystemExit | FAILED SystemExit
os.kill(os.getpid(), 9)
#: ignores signals | TIMEOUT | TIMEOUT
import signal
for number in range(1, 65):
    try: signal.signal(number, signal.SIG_IGN)
    except (OSError, ValueError): pass
while True: pass
#: stops itself | TIMEOUT | TIMEOUT
os.kill(os.getpid(), 19)
#: raises an alarm | FAILED SystemExit | FAILED SystemExit
import signal, time
signal.setitimer(signal.ITIMER_REAL, 0.01)
time.sleep(60)
#: computes what cannot be interrupted | TIMEOUT | TIMEOUT
10 ** 10 ** 8
#: multiplies without end | TIMEOUT | TIMEOUT
import math
math.factorial(10 ** 7)
#: matches without end | TIMEOUT | TIMEOUT
import re
re.match(r'(a+)+$', 'a' * 60 + 'b')
#: has an error without end | TIMEOUT | TIMEOUT
class Endless(Exception):
    def __str__(self):
        while True: pass
raise Endless()
#: catches all | TIMEOUT | TIMEOUT
while True:
    try:
        while True: pass
    except BaseException: pass
#: takes all memory | MEMORY | MEMORY
x = [bytearray(10 ** 8) for _ in range(100)]
#: takes memory without Python | FAILED OSError | FAILED OSError
call(9, 0, 1 << 40, 3, 0x22, -1, 0)
#: recurses into the end of its stack | FAILED SystemExit | FAILED SystemExit
import sys
sys.setrecursionlimit(10 ** 9)
class R:
    def __repr__(self): return repr([self])
repr(R())
#: opens all descriptors | FAILED OSError: [Errno 24] | FAILED OSError: [Errno 24]
x = [os.pipe() for _ in range(10 ** 4)]
#: prints without end | TIMEOUT | TIMEOUT
while True: print('spam' * 1000)
#: takes the builtins away | FAILED SystemExit | FAILED SystemExit
import builtins
for name in list(vars(builtins)): setattr(builtins, name, None)
#: ends | FAILED SystemExit: 0 | FAILED SystemExit: 0
import sys
sys.exit(0)
#: ends at once | FAILED SystemExit | FAILED SystemExit
os._exit(0)
#: crashes | FAILED SystemExit | FAILED SystemExit
ctypes.string_at(0)
