# Files by Landlock: the libraries may be read, nothing else is there; no port is bound or connected to.
CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446
WRITE_FILE, READ_FILE, READ_FOLDER = 1 << 1, 1 << 2, 1 << 3
RIGHTS = {1: 13, 2: 14, 3: 15, 4: 15}  # by version, on files; later ones have 16


class Handled(ctypes.Structure):
    _fields_ = [('files', ctypes.c_uint64), ('ports', ctypes.c_uint64), ('scopes', ctypes.c_uint64)]


class Beneath(ctypes.Structure):
    _pack_ = 1
    _fields_ = [('access', ctypes.c_uint64), ('parent', ctypes.c_int32)]


def landlock(readable, devices):
    """Leaves this process and its children what is readable, to read, and the devices."""
    version = checked(LIBC.syscall(CREATE_RULESET, None, ctypes.c_size_t(0), 1))
    handled = Handled((1 << RIGHTS.get(version, 16)) - 1, 3 if version >= 4 else 0, 3 if version >= 6 else 0)
    size = 8 if version < 4 else 16 if version < 6 else 24
    rules = checked(LIBC.syscall(CREATE_RULESET, ctypes.byref(handled), ctypes.c_size_t(size), 0))
    for path in readable + devices:
        try:
            parent = os.open(path, os.O_PATH)
        except OSError:
            continue  # not there, so not to be read
        access = READ_FILE | (READ_FOLDER if os.path.isdir(path) else 0) | (WRITE_FILE if path in devices else 0)
        checked(LIBC.syscall(ADD_RULE, rules, 1, ctypes.byref(Beneath(access, parent)), 0))
        os.close(parent)
    checked(LIBC.prctl(38, 1, 0, 0, 0))  # no new privileges
    checked(LIBC.syscall(RESTRICT_SELF, rules, 0))
    os.close(rules)
