"""An agent that knows nothing of episodes: the task is an argument, the endpoint a file in its home.

Arguments: a folder for what the test looks at, how it ends, and the task.
"""
import json
import os
import subprocess
import sys
import time
import urllib.error
import urllib.request

folder, end, task = sys.argv[1:]
assert sys.stdin.read() == ""
assert "ROLL_TEST_SECRET" not in os.environ
home = os.path.expanduser("~")
assert os.getcwd() == os.environ["WORK"] and os.listdir(".") == [], os.getcwd()
with open(os.path.join(home, ".agent/config.json")) as file:
    config = json.load(file)


def ask(messages):
    request = urllib.request.Request(
        config["url"] + "/chat/completions",
        json.dumps({"messages": messages, "model": config["model"]}).encode(),
        {"Authorization": "Bearer " + config["key"], "Content-Type": "application/json"},
    )
    with urllib.request.urlopen(request) as response:
        return json.load(response)["choices"][0]["message"]


child = subprocess.Popen(["sleep", "1000"], start_new_session=True, stdout=subprocess.DEVNULL)
with open(os.path.join(folder, "left"), "w") as file:
    json.dump({"home": home, "child": child.pid}, file)
locked = os.path.join(home, "locked")
os.mkdir(locked)
open(os.path.join(locked, "file"), "w").close()
os.chmod(locked, 0o500)
os.symlink(folder, os.path.join(home, "link"))
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
print("what I did: " + messages[-1]["content"])
sys.exit(3 if end == "fails" else 0)
