# Which system calls a command may not make: those that change the machine, look into other processes, make namespaces,
# or reach what has no namespace or limit.
REFUSED = '''
mount 165 40, umount2 166 39, pivot_root 155 41, chroot 161 51, open_tree 428 428, move_mount 429 429, fsopen 430 430,
fsconfig 431 431, fsmount 432 432, fspick 433 433, mount_setattr 442 442, open_tree_attr 467 467, unshare 272 97,
setns 308 268, ptrace 101 117, process_vm_readv 310 270, process_vm_writev 311 271, process_madvise 440 440,
kcmp 312 272, pidfd_getfd 438 438, bpf 321 280, perf_event_open 298 241, userfaultfd 323 282, io_uring_setup 425 425,
io_uring_enter 426 426, io_uring_register 427 427, add_key 248 217, request_key 249 218, keyctl 250 219,
kexec_load 246 104, kexec_file_load 320 294, init_module 175 105, finit_module 313 273, delete_module 176 106,
create_module 174 -, iopl 172 -, ioperm 173 -, modify_ldt 154 -, uselib 134 -, sysfs 139 -, _sysctl 156 -,
swapon 167 224, swapoff 168 225, reboot 169 142, sethostname 170 161, setdomainname 171 162, acct 163 89,
quotactl 179 60, quotactl_fd 443 443, nfsservctl 180 42, lookup_dcookie 212 18, fanotify_init 300 262,
name_to_handle_at 303 264, open_by_handle_at 304 265, settimeofday 164 170, clock_settime 227 112,
clock_adjtime 305 266, adjtimex 159 171, syslog 103 116, vhangup 153 58
'''
# Memory that belongs to no process, which the limit would not see.
UNCOUNTED = 'memfd_create 319 279, memfd_secret 447 447, shmget 29 194, msgget 68 186, semget 64 190, mq_open 240 180'
LATEST = 470  # calls from here on are of later kernels
SPACE_FLAGS = 0x7e020000  # of clone
FAMILIES = [1, 2, 10, 16]  # of sockets: Unix, IPv4, IPv6 and the routing tables; not of machines, kernels or devices
ARGUMENTS = 'clone 56 220, ioctl 16 29, prlimit64 302 261, socket 41 198, socketpair 53 199'


def refusals(families):
    """The rules of the filter; families are those of sockets that may be made."""
    rules = [(AT_LEAST, 0, 1, LATEST), (RETURN, 0, 0, UNKNOWN)]
    for number in numbers(REFUSED).values():
        rules += [(EQUAL, 0, 1, number), (RETURN, 0, 0, REFUSE)]
    for number in numbers(UNCOUNTED).values():
        rules += [(EQUAL, 0, 1, number), (RETURN, 0, 0, UNKNOWN)]
    any_of = lambda values: [(EQUAL, len(values) - place, 0, value) for place, value in enumerate(values)]
    checks = {
        'clone': (0, [(ANY_BIT, 1, 0, SPACE_FLAGS), (RETURN, 0, 0, ALLOW)]),
        'ioctl': (1, [(EQUAL, 2, 0, 0x5412), (EQUAL, 1, 0, 0x541c), (RETURN, 0, 0, ALLOW)]),  # writes to a terminal
        'prlimit64': (0, [(EQUAL, 0, 1, 0), (RETURN, 0, 0, ALLOW)]),  # of itself
        'socket': (0, any_of(families) + [(RETURN, 0, 0, REFUSE), (RETURN, 0, 0, ALLOW)]),
        'socketpair': (0, any_of([1]) + [(RETURN, 0, 0, REFUSE), (RETURN, 0, 0, ALLOW)]),
    }
    for name, number in numbers(ARGUMENTS).items():
        argument, code = checks[name]
        code = [(LOAD, 0, 0, 16 + 8 * argument)] + code + [(RETURN, 0, 0, REFUSE)]
        rules += [(EQUAL, 0, len(code), number)] + code
    return rules + [(RETURN, 0, 0, ALLOW)]
