# FAILED PermissionError
import _io
_io.FileIO('/proc/self/environ').read()
