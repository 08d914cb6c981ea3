"""Answers the requests of roll, lines of JSON on the standard input, with answer(request) for each."""
import json
import os
import sys
import threading
import time
import traceback

requests, answers = os.fdopen(os.dup(0), 'rb'), os.fdopen(os.dup(1), 'wb')
os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
os.dup2(2, 1)  # what is printed goes into the log, also what a program prints that is started while all this is loaded
sys.stdout.reconfigure(line_buffering=True)


def plain(value):
    """What JSON does not know: numbers and arrays of numpy and torch, and the rest as text."""
    return value.tolist() if hasattr(value, 'tolist') else str(value)


def live_with(parent):
    """Ends when roll has, also where it was killed while this program computes."""
    while os.getppid() == parent:
        time.sleep(1)
    os._exit(1)


def serve(answer):
    threading.Thread(target=live_with, args=(os.getppid(),), daemon=True).start()
    for line in requests:
        asked = json.loads(line)
        told = time.monotonic()
        for request in asked if isinstance(asked, list) else [asked]:
            try:
                reply = answer(request)
            except Exception as error:
                traceback.print_exc()
                reply = {'error': f'{type(error).__name__}: {error}'}
            answers.write(json.dumps({**reply, 'id': request['id']}, default=plain).encode() + b'\n')
            if time.monotonic() - told > 0.1:  # the first of many need not wait for the last
                answers.flush()
                told = time.monotonic()
        answers.flush()


