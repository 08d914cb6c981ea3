# FAILED
import os, signal
signal.signal(signal.SIGTERM, signal.SIG_IGN)
os.kill(os.getpid(), signal.SIGKILL)
os.kill(os.getppid(), signal.SIGKILL)
