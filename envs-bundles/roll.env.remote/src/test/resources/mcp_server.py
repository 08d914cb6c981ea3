"""The lake as an MCP server: over stdio, or with `http` as argv[1] over streamable HTTP, whose answers are events if argv[2]
is `events`. The argument `mischief` of a new game selects the misbehavior of the next move.
"""
import json
import os
import sys
import threading
import time
import uuid
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import lake

DOT = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR42mP4z9AAAAOBAYCcUEUtAAAAAElFTkSuQmCC'


def tool(name, description, **properties):
    return {'name': name, 'description': description, 'inputSchema': {'type': 'object', 'properties': properties}}


TOOLS = [tool('new_game', 'Begins.', seed={'type': 'integer'}, size={'type': 'integer'}),
         tool('move', 'Moves.', direction={'type': 'string', 'enum': lake.NAMES}),
         tool('look', 'Shows a picture.'), tool('score', 'Grades.', answer={'type': 'string'})]


def text(said, **fields):
    return {'content': [{'type': 'text', 'text': said}], **({'structuredContent': fields} if fields else {})}


class Game:
    def __init__(self):
        self.world, self.mischief, self.steps = None, '', 0

    def call(self, name, given):
        if name == 'new_game':
            self.mischief, seed = given.pop('mischief', ''), given.pop('seed')
            assert 0 <= seed < 1 << 31
            self.world = lake.Lake(seed, **given)
            return text(self.world.text(), done=self.mischief == 'over')
        if name == 'move':
            if given.get('direction') not in lake.NAMES:
                return {**text('there is no such direction'), 'isError': True}
            if self.mischief:
                return MISCHIEF[self.mischief](self)
            self.steps += 1
            step = self.world.step(f'<answer>{given["direction"]}</answer>')
            return text(self.world.text(), reward=step['reward'], done=step['terminated'], steps=self.steps)
        if name == 'look':
            return {'content': [{'type': 'image', 'data': DOT, 'mimeType': 'image/png'}]}
        if name == 'score':
            if self.mischief == 'no_score':
                return text('very good')
            return text(json.dumps({'reward': {'I am there': 0.5, '': -1}.get(given['answer'], -2)}))
        raise KeyError(name)


def write(message):
    sys.stdout.write(message + '\n')
    sys.stdout.flush()


MISCHIEF = {
    'hangs': lambda game: time.sleep(600), 'dies': lambda game: os._exit(3), 'no_score': lambda game: text('', done=True),
    'garbage': lambda game: write('hello'), 'nan': lambda game: text('', reward=float('nan')),
    'wrong': lambda game: text('', reward='much'), 'perhaps': lambda game: text('', done='perhaps'), 'nothing': lambda game: {}, 'list': lambda game: [1],
    'huge': lambda game: text('x' * (33 << 20)), 'bad_picture': lambda game: {'content': [
        {'type': 'image', 'data': 'AAAA', 'mimeType': 'image/png'}]},
    'odd': lambda game: {'content': [1, {'type': 'audio'}, {'type': 'resource', 'resource': {'text': 'a text'}},
                                     {'type': 'resource_link', 'uri': 'lake://map'}]},
    'talks': lambda game: [write(json.dumps({'jsonrpc': '2.0', 'method': 'notifications/message', 'params': {}}))
                           for _ in iter(int, 1)]}


def answer(game, message):
    """What a message is answered; None for notifications."""
    method, params = message.get('method'), message.get('params', {})
    if 'id' not in message:
        return None
    reply = {'jsonrpc': '2.0', 'id': message['id']}
    if method == 'initialize':
        version = 'a\nheader' if sys.argv[2:] == ['hostile'] else '2025-06-18'
        return {**reply, 'result': {'protocolVersion': version, 'capabilities': {'tools': {}},
                                    'serverInfo': {'name': 'lake', 'version': '1'}}}
    if method == 'tools/list':
        first = 'cursor' not in params
        return {**reply, 'result': {'tools': TOOLS[:2] if first else TOOLS[2:], **({'nextCursor': '2'} if first else {})}}
    if method == 'tools/call':
        try:
            return {**reply, 'result': game.call(params['name'], params['arguments'])}
        except (KeyError, TypeError, AssertionError) as error:
            return {**reply, 'error': {'code': -32602, 'message': f'{type(error).__name__}: {error}'}}
    return {**reply, 'error': {'code': -32601, 'message': 'no method ' + str(method)}}


def lines():
    game = Game()
    write(json.dumps({'jsonrpc': '2.0', 'method': 'notifications/message', 'params': {}}))
    for line in sys.stdin:
        message = json.loads(line)
        if message.get('method') == 'tools/call':  # a request of ours comes first
            write(json.dumps({'jsonrpc': '2.0', 'id': 'p', 'method': 'ping'}))
            assert json.loads(sys.stdin.readline()) == {'jsonrpc': '2.0', 'id': 'p', 'result': {}}
        reply = answer(game, message)
        if reply is not None:
            write(json.dumps(reply))


GAMES = {}


class Handler(BaseHTTPRequestHandler):
    disable_nagle_algorithm = True
    protocol_version = 'HTTP/1.1'

    def do_POST(self):
        message = json.loads(self.rfile.read(int(self.headers['Content-Length'])))
        session, events = self.headers['Mcp-Session-Id'], sys.argv[2:] == ['events']
        if self.headers['X-Key'] != 'k':
            return self.say(401, b'who are you?')
        if message['method'] == 'initialize':
            session = str(uuid.uuid4())
            GAMES[session] = Game()
        elif session not in GAMES or (self.headers['MCP-Protocol-Version'] != '2025-06-18' and sys.argv[2:] != ['hostile']):
            return self.say(404, b'no session')
        reply = answer(GAMES[session], message)
        if reply is None:
            return self.say(202, b'')
        body = json.dumps(reply)
        if events:
            body = ': a comment\n\nevent: message\ndata: ' + json.dumps(
                {'jsonrpc': '2.0', 'method': 'notifications/message', 'params': {}}) + '\n\nevent: message\nid: 1\ndata: ' + body + '\n\n'
        self.say(200, body.encode(), 'text/event-stream' if events else 'application/json', session)

    def do_DELETE(self):
        GAMES.pop(self.headers['Mcp-Session-Id'])
        self.say(200, b'')

    def do_GET(self):
        self.say(200, str(len(GAMES)).encode())

    def say(self, status, body, kind='text/plain', session=None):
        self.send_response(status)
        self.send_header('Content-Type', kind)
        self.send_header('Content-Length', str(len(body)))
        if session:
            self.send_header('Mcp-Session-Id', session)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments):
        pass


if sys.argv[1:2] == ['http']:
    server = ThreadingHTTPServer(('127.0.0.1', 0), Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    print(server.server_address[1], flush=True)
    sys.stdin.read()
else:
    lines()
