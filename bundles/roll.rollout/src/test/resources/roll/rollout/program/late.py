"""Plays eight episodes at once; the first asks when the other seven have been answered."""
import json
import sys
import threading
import urllib.request

others = threading.Semaphore(0)


def play(task, number):
    if number == 0:
        for _ in range(7):
            others.acquire()
    request = urllib.request.Request(
        task["base_url"] + "/chat/completions",
        json.dumps({"messages": [{"role": "user", "content": task["question"]}]}).encode(),
        {"Authorization": "Bearer " + task["api_key"], "Content-Type": "application/json"},
    )
    with urllib.request.urlopen(request) as response:
        said = json.load(response)["choices"][0]["message"]["content"]
    others.release()
    print(json.dumps({"id": task["id"], "answer": said}) + "\n", end="", flush=True)


for number, line in enumerate(sys.stdin):
    threading.Thread(target=play, args=[json.loads(line), number]).start()
