"""Plays many episodes at once, on a thread each; with an argument it dies in the first."""
import json
import os
import sys
import threading
import urllib.request


def play(task):
    request = urllib.request.Request(
        task["base_url"] + "/chat/completions",
        json.dumps({"messages": [{"role": "user", "content": task["question"]}]}).encode(),
        {"Authorization": "Bearer " + task["api_key"], "Content-Type": "application/json"},
    )
    with urllib.request.urlopen(request) as response:
        said = json.load(response)["choices"][0]["message"]["content"]
    print(json.dumps({"id": task["id"], "answer": said}) + "\n", end="", flush=True)


for line in sys.stdin:
    if len(sys.argv) > 1 and not os.path.exists(sys.argv[1]):
        open(sys.argv[1], "w").close()
        sys.exit("not today")
    threading.Thread(target=play, args=[json.loads(line)]).start()
