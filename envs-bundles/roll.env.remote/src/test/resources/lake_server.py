"""The lake behind an address: POSTs, and WebSockets (RFC 6455). Prints the port, and ends with its input."""
import base64
import hashlib
import json
import struct
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import lake

LOCK = threading.Lock()


def answers(text):
    asked = json.loads(text)
    with LOCK:
        return json.dumps([{**lake.answer(one), 'id': one['id']} for one in (asked if isinstance(asked, list) else [asked])])


class Handler(BaseHTTPRequestHandler):
    disable_nagle_algorithm = True
    wbufsize = -1
    protocol_version = 'HTTP/1.1'

    def do_POST(self):
        asked = self.rfile.read(int(self.headers['Content-Length']))
        known = self.headers['X-Key'] == 'k'
        body = answers(asked).encode() if known else b'who are you?'
        self.send_response(200 if known else 403)
        self.send_header('Content-Length', str(len(body)))
        self.end_headers()
        self.wfile.write(body)
        self.wfile.flush()

    def do_GET(self):
        key = self.headers['Sec-WebSocket-Key'] + '258EAFA5-E914-47DA-95CA-C5AB0DC85B11'
        self.send_response(101)
        self.send_header('Upgrade', 'websocket')
        self.send_header('Connection', 'Upgrade')
        self.send_header('Sec-WebSocket-Accept', base64.b64encode(hashlib.sha1(key.encode()).digest()).decode())
        self.end_headers()
        self.wfile.flush()
        message, final = b'', False
        while True:
            first, second = self.rfile.read(2)
            length = second & 127
            if length > 125:
                length = struct.unpack('>H' if length == 126 else '>Q', self.rfile.read(2 if length == 126 else 8))[0]
            mask = self.rfile.read(4)
            message += bytes(byte ^ mask[i % 4] for i, byte in enumerate(self.rfile.read(length)))
            if first & 15 == 8:
                return
            if first & 128:
                self.tell(answers(message).encode())
                message = b''

    def tell(self, body):
        half = len(body) // 2  # in two parts
        for first, part in (1, body[:half]), (128, body[half:]):
            size = bytes([len(part)]) if len(part) < 126 else b'\x7e' + struct.pack('>H', len(part))
            self.wfile.write(bytes([first]) + size + part)
        self.wfile.flush()

    def log_message(self, *arguments):
        pass


server = ThreadingHTTPServer(('127.0.0.1', 0), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
print(server.server_address[1], flush=True)
sys.stdin.read()
