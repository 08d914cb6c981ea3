#: connects | FAILED PermissionError | DONE
import socket
socket.create_connection(('127.0.0.1', {port}), timeout=5).sendall(b'hello')
#: connects by the C library | FAILED PermissionError | DONE
call(41, 2, 1, 0)
#: connects by IPv6 | FAILED PermissionError | ANY
import socket
socket.socket(socket.AF_INET6)
#: sends a packet | FAILED PermissionError | DONE
import socket
socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b'hello', ('127.0.0.1', {port}))
#: sends raw packets | FAILED PermissionError | ANY
import socket
socket.socket(socket.AF_INET, socket.SOCK_RAW, 1)
#: listens | FAILED PermissionError | DONE
import socket
s = socket.socket()
s.bind(('127.0.0.1', 0))
s.listen()
#: asks for a name | FAILED gaierror | ANY
import socket
socket.getaddrinfo('localhost', 'no-such-service-name')
#: speaks to the kernel | FAILED PermissionError | ANY
import socket
socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0)
#: speaks to a hypervisor | FAILED PermissionError | ANY
import socket
socket.socket(40, socket.SOCK_STREAM)
#: connects to a service of this machine | FAILED PermissionError | ANY
import socket
socket.socket(socket.AF_UNIX).connect('{socket}')
#: connects to an abstract name | FAILED PermissionError | ANY
import socket
socket.socket(socket.AF_UNIX).connect('\0roll')
#: sends from a pair to an address | FAILED PermissionError | ANY
import socket
a, b = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
a.sendto(b'x', '{socket}')
#: passes descriptors | FAILED PermissionError | DONE
import array, socket
a, b = socket.socketpair()
a.sendmsg([b'x'], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array('i', [0]))])
#: fetches a page | FAILED URLError | ANY
import urllib.request
urllib.request.urlopen('http://127.0.0.1:1/').read()
