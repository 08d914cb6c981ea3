# Calls of the C library, and filters of system calls.
import ctypes, errno, os

LIBC = ctypes.CDLL(None, use_errno=True)
ARCHITECTURES = {'x86_64': (0, 0xc000003e), 'aarch64': (1, 0xc00000b7)}
LOAD, EQUAL, AT_LEAST, ANY_BIT, RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
ALLOW, REFUSE, UNKNOWN = 0x7fff0000, 0x00050000 | errno.EPERM, 0x00050000 | errno.ENOSYS
KILL = 0x80000000


def checked(result):
    """What a call of the C library returned; raises OSError where the kernel refused it."""
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result


class Instruction(ctypes.Structure):
    _fields_ = [('code', ctypes.c_ushort), ('jt', ctypes.c_ubyte), ('jf', ctypes.c_ubyte), ('k', ctypes.c_uint)]


class Program(ctypes.Structure):
    _fields_ = [('length', ctypes.c_ushort), ('filter', ctypes.POINTER(Instruction))]


def architecture():
    """The place of this machine's numbers in tables of calls, and its name in filters."""
    if os.uname().machine not in ARCHITECTURES:
        raise OSError(errno.ENOSYS, 'not known for ' + os.uname().machine)
    return ARCHITECTURES[os.uname().machine]


def numbers(table):
    """The calls of a table by name: rows of name, number on x86_64 and number on aarch64, - where there is none."""
    place, _ = architecture()
    rows = (entry.split() for entry in table.strip().replace('\n', ' ').split(','))
    return {row[0]: int(row[1 + place]) for row in rows if row[1 + place] != '-'}


def call_filter(rules):
    """A filter of (code, jump if true, jump if false, operand) that see the number of a call of this architecture."""
    code = [(LOAD, 0, 0, 4), (EQUAL, 1, 0, architecture()[1]), (RETURN, 0, 0, KILL), (LOAD, 0, 0, 0)]
    code += [(AT_LEAST, 0, 1, 0x40000000), (RETURN, 0, 0, REFUSE)]  # the x32 calls
    code += [(EQUAL, 0, 1, 435), (RETURN, 0, 0, UNKNOWN)]  # clone3: the C library takes clone then, whose flags are seen
    instructions = [Instruction(*one) for one in code + rules]
    return Program(len(instructions), (Instruction * len(instructions))(*instructions))


def install(program):
    """Filters the calls of this process and of those it starts, for ever."""
    checked(LIBC.prctl(38, 1, 0, 0, 0))  # no new privileges
    checked(LIBC.prctl(22, 2, ctypes.byref(program), 0, 0))
