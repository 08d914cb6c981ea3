# FAILED
import ctypes
# FAILED
import _ctypes
_ctypes.dlopen(None, 0)
# FAILED
import _cffi_backend
# FAILED
import __graalpython__
__graalpython__.native_access_allowed()
