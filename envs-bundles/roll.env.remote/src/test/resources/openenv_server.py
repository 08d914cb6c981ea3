"""The lake behind a server that speaks OpenEnv's messages: /schema, and a WebSocket for each episode at /ws.

argv[1] is how many episodes it plays at once, argv[2] the port, if it is to be this one; /lake/asked counts the
sessions that were asked for, and a server with `tells` for argv[3] says how many there are; what a reset says of `mischief` happens at the first step.
Prints the port, and ends with its input.
"""
import base64
import hashlib
import json
import socket
import struct
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import lake

MOST, PLAYED, LOCK, ASKED = int(sys.argv[1]), set(), threading.Lock(), []
PORT = int(sys.argv[2]) if len(sys.argv) > 2 else 0
TOLD = {'max_sessions': MOST} if 'tells' in sys.argv else {}
NAMES = {'enum': lake.NAMES, 'type': 'string'}
SCHEMA = {
    'action': {'$defs': {'Name': NAMES}, 'type': 'object', 'required': ['move'], 'properties': {
        'metadata': {'type': 'object'}, 'move': {'$ref': '#/$defs/Name'},
        'times': {'anyOf': [{'type': 'null'}, {'type': 'integer'}], 'default': 1}}},
    'observation': {'type': 'object', 'required': ['grid'], 'properties': {
        'done': {'type': 'boolean'}, 'reward': {}, 'metadata': {}, 'grid': {'type': 'string'}, 'moves': {'type': 'array'},
        'won': {'type': 'boolean'}, 'nothing': {}, 'pixels': {'type': 'array'}, 'deep': {'type': 'object'}}},
    'state': {}}


def seen(world, reward=None, done=False):
    rows = world.text().split('\n')
    pixels = [[[255 * (cell == 'P'), 255 * (cell == 'G'), 128] for cell in row] for row in rows]
    observation = {'grid': world.text(), 'moves': lake.NAMES, 'won': world.position == world.goal, 'nothing': None,
                   'pixels': pixels, 'deep': {'cells': len(pixels) ** 2}}
    return {'type': 'observation', 'data': {'observation': observation, 'reward': reward, 'done': done}}


def error(code, message, **more):
    return {'type': 'error', 'data': {'message': message, 'code': code, **more}}


class Session:
    def __init__(self, connection):
        self.connection, self.mischief, self.world = connection, '', None

    def answer(self, text):
        try:
            asked = json.loads(text)
        except json.JSONDecodeError:
            return error('INVALID_JSON', 'Invalid JSON')
        kind, data = asked['type'], asked.get('data', {})
        if kind == 'reset':
            self.mischief = data.pop('mischief', '')
            if not isinstance(data['seed'], int) or not 0 <= data['seed'] < 1 << 31:
                return error('EXECUTION_ERROR', 'a seed of more than 31 bits')
            self.world = lake.Lake(data.pop('seed'), **data)
            return seen(self.world, done=self.mischief == 'over')
        if kind == 'step':
            if set(data) - {'move', 'times', 'metadata'} or data.get('move') not in lake.NAMES:
                return error('VALIDATION_ERROR', 'Invalid message', errors=[
                    {'type': 'enum', 'loc': ['move'], 'msg': 'Input should be Left, Down, Right or Up'}])
            if self.mischief:
                return getattr(self, self.mischief)()
            for _ in range(data.get('times') or 1):
                step = self.world.step(f'<answer>{data["move"]}</answer>')
            return seen(self.world, step['reward'], step['terminated'])
        return error('UNKNOWN_TYPE', f'Unknown message type: {kind}')

    def hangs(self):
        time.sleep(600)

    def closes(self):
        self.connection.frame(8, struct.pack('>H', 1011) + b'no more')

    def breaks(self):
        self.connection.connection.shutdown(socket.SHUT_RDWR)

    def fails(self):
        return error('EXECUTION_ERROR', 'the lake\n has dried up')

    def is_huge(self):
        self.connection.frame(1, b'x' * (33 << 20))

    def writes_garbage(self):
        self.connection.frame(1, b'hello')

    def writes_a_list(self):
        return [1]

    def answers_twice(self):
        answer = seen(self.world, 0)
        self.connection.tell(answer)
        return answer

    def is_nan(self):
        return seen(self.world, float('nan'))

    def has_a_wrong_reward(self):
        return seen(self.world, 'much')

    def is_perhaps_done(self):
        return seen(self.world, 0, 'perhaps')

    def sees_a_list(self):
        return {'type': 'observation', 'data': {'observation': [1], 'reward': 0, 'done': False}}

    def tells_its_state(self):
        return {'type': 'state', 'data': {}}

    def has_no_pixels(self):
        answer = seen(self.world, 0)
        answer['data']['observation']['pixels'] = [[[0, 0, 256]]]
        return answer

    def has_no_moves(self):
        answer = seen(self.world, 0)
        answer['data']['observation']['moves'] = 4
        return answer

    def is_deep(self):
        self.connection.frame(1, b'[' * 1000000)


class Handler(BaseHTTPRequestHandler):
    disable_nagle_algorithm = True
    protocol_version = 'HTTP/1.1'

    def do_GET(self):
        if self.path in ('/lake/schema', '/lake/asked'):
            body = json.dumps(len(ASKED) if self.path == '/lake/asked' else SCHEMA).encode()
            self.send_response(200)
            self.send_header('Content-Length', str(len(body)))
            self.end_headers()
            self.wfile.write(body)
        elif self.path == '/lake/ws' and self.headers['X-Key'] == 'k':
            self.play()
        else:
            moved = self.path.startswith('/moved')
            self.send_response(307 if moved else 404)
            if moved:
                self.send_header('Location', self.path.replace('/moved', '/lake'))
            self.send_header('Content-Length', '0')
            self.end_headers()

    def play(self):
        key = self.headers['Sec-WebSocket-Key'] + '258EAFA5-E914-47DA-95CA-C5AB0DC85B11'
        self.send_response(101)
        self.send_header('Upgrade', 'websocket')
        self.send_header('Connection', 'Upgrade')
        self.send_header('Sec-WebSocket-Accept', base64.b64encode(hashlib.sha1(key.encode()).digest()).decode())
        self.end_headers()
        self.close_connection = True
        session = Session(self)
        with LOCK:
            ASKED.append(session)
            full = len(PLAYED) >= MOST
            if not full:
                PLAYED.add(session)
        if full:
            self.tell(error('CAPACITY_REACHED', f'Maximum capacity of {MOST} reached', **TOLD))
            self.frame(8, struct.pack('>H', 1000))
            return
        try:
            for text in self.messages():
                if json.loads(text).get('type') == 'close':
                    assert json.loads(text) == {'type': 'close'}
                    break
                answer = session.answer(text)
                if answer is not None:
                    self.tell(answer)
        except (OSError, ValueError, struct.error):
            pass
        finally:
            time.sleep(0.05)  # it takes a while to free what an episode holds
            with LOCK:
                PLAYED.discard(session)

    def messages(self):
        message = b''
        while True:
            first, second = self.rfile.read(2)
            length = second & 127
            if length > 125:
                length = struct.unpack('>H' if length == 126 else '>Q', self.rfile.read(2 if length == 126 else 8))[0]
            mask = self.rfile.read(4)
            message += bytes(byte ^ mask[i % 4] for i, byte in enumerate(self.rfile.read(length)))
            if first & 15 == 8:
                self.frame(8, message)
                return
            if first & 128:
                yield message.decode()
                message = b''

    def tell(self, answer):
        self.frame(1, json.dumps(answer).encode())

    def frame(self, kind, body):
        size = (bytes([len(body)]) if len(body) < 126 else b'\x7e' + struct.pack('>H', len(body)) if len(body) < 1 << 16
                else b'\x7f' + struct.pack('>Q', len(body)))
        self.wfile.write(bytes([128 | kind]) + size + body)
        self.wfile.flush()

    def log_message(self, *arguments):
        pass


server = ThreadingHTTPServer(('127.0.0.1', PORT), Handler)
server.daemon_threads = True
threading.Thread(target=server.serve_forever, daemon=True).start()
print(server.server_address[1], flush=True)
sys.stdin.read()
