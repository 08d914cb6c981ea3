"""An agent in a workspace: the task is an argument, the endpoint a file in its home."""
import json
import os
import sys
import time
import urllib.error
import urllib.request

end, task = sys.argv[1:]
assert os.getcwd() == os.environ["WORK"]
with open(os.path.expanduser("~/.agent/config.json")) as file:
    config = json.load(file)


def ask(messages):
    request = urllib.request.Request(
        config["url"] + "/chat/completions",
        json.dumps({"messages": messages, "model": "policy"}).encode(),
        {"Authorization": "Bearer " + config["key"], "Content-Type": "application/json"},
    )
    with urllib.request.urlopen(request) as response:
        return json.load(response)["choices"][0]["message"]


with open("left", "w") as file:
    file.write(os.environ["OF_TASK"])
messages = [{"role": "user", "content": task}]
try:
    for _ in range(100):
        messages.append(ask(messages))
        if end != "asks":
            break
        messages.append({"role": "user", "content": "more"})
except urllib.error.HTTPError as e:
    sys.exit("status %d" % e.code)
if end == "hangs":
    time.sleep(1000)
if end == "fails":
    print("it failed")
    sys.exit(3)
