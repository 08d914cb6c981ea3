# Files by Landlock: granted paths may be used, nothing else is there; no port is bound or connected to.
CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446
EXECUTE, WRITE_FILE, READ_FILE, READ_FOLDER = 1 << 0, 1 << 1, 1 << 2, 1 << 3
RIGHTS = {1: 13, 2: 14, 3: 15, 4: 15}  # by version, on files; later ones have 16
OF_FILES = EXECUTE | WRITE_FILE | READ_FILE | 1 << 14 | 1 << 15  # and to shorten it, and to control a device


class Handled(ctypes.Structure):
    _fields_ = [('files', ctypes.c_uint64), ('ports', ctypes.c_uint64), ('scopes', ctypes.c_uint64)]


class Beneath(ctypes.Structure):
    _pack_ = 1
    _fields_ = [('access', ctypes.c_uint64), ('parent', ctypes.c_int32)]


def rule_set(granted):
    """A set of rules by (path, rights): all others are refused. Rights that this kernel does not know are left out."""
    version = checked(LIBC.syscall(CREATE_RULESET, None, ctypes.c_size_t(0), 1))
    known = (1 << RIGHTS.get(version, 16)) - 1
    handled = Handled(known, 3 if version >= 4 else 0, 3 if version >= 6 else 0)
    size = 8 if version < 4 else 16 if version < 6 else 24
    rules = checked(LIBC.syscall(CREATE_RULESET, ctypes.byref(handled), ctypes.c_size_t(size), 0))
    for path, access in granted:
        try:
            parent = os.open(path, os.O_PATH)
        except OSError:
            continue  # not there, so not to be read
        access &= known if os.path.isdir(path) else known & OF_FILES
        checked(LIBC.syscall(ADD_RULE, rules, 1, ctypes.byref(Beneath(access, parent)), 0))
        os.close(parent)
    return rules


def restrict(rules):
    """Leaves this process and its children what a set of rules grants."""
    checked(LIBC.prctl(38, 1, 0, 0, 0))  # no new privileges
    checked(LIBC.syscall(RESTRICT_SELF, rules, 0))


def landlock(readable, devices):
    """Leaves this process and its children what is readable, to read, and the devices."""
    rules = rule_set(
        [(path, READ_FILE | READ_FOLDER) for path in readable]
        + [(path, READ_FILE | WRITE_FILE) for path in devices])
    restrict(rules)
    os.close(rules)
