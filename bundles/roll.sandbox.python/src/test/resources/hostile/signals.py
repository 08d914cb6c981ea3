# FAILED PermissionError
import signal
signal.signal(signal.SIGTERM, signal.SIG_IGN)
# FAILED PermissionError
import signal
signal.signal(signal.SIGTERM, lambda *a: 0)
# FAILED PermissionError
import signal
signal.raise_signal(signal.SIGTERM)
# FAILED PermissionError
import signal
signal.setitimer(signal.ITIMER_REAL, 0.001)
# FAILED PermissionError
import signal
signal.alarm(1)
# FAILED PermissionError
import os, signal
os.kill(os.getpid(), signal.SIGKILL)
# FAILED PermissionError
import os, signal
os.kill(os.getppid(), signal.SIGKILL)
# FAILED PermissionError
import os, signal
os.killpg(0, signal.SIGTERM)
# FAILED
import sys
del sys.modules['_signal']
import _signal
_signal.raise_signal(15)
# FAILED
import sys
del sys.modules['_signal']
import _signal
_signal.signal(15, lambda *a: 0)
# FAILED
import importlib.util
spec = importlib.util.find_spec('_signal')
spec.loader.load_module('_signal').raise_signal(15)
# FAILED
import sys
del sys.modules['posix']
import posix
posix.kill(posix.getpid(), 15)
# FAILED
import sys
del sys.modules['posix']
import posix
posix.killpg(0, 15)
# FAILED PermissionError
import _thread
_thread.interrupt_main()
