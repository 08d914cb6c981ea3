# FAILED
import ctypes
ctypes.CDLL(None).exit(1)
