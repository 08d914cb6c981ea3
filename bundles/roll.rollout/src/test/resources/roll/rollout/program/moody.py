"""Does wrong what its argument says in its first attempt at an episode, and plays the second as it should.

Arguments: a folder for what was tried, and the wrongs, one for each member of a group.
"""
import json
import os
import subprocess
import sys
import time
import urllib.request

folder, wrongs = sys.argv[1], sys.argv[2:]
task = json.loads(os.environ["ROLL_TASK"])
assert json.load(sys.stdin) == task


def ask(messages):
    request = urllib.request.Request(
        os.environ["OPENAI_BASE_URL"] + "/chat/completions",
        json.dumps({"messages": messages}).encode(),
        {"Authorization": "Bearer " + os.environ["OPENAI_API_KEY"], "Content-Type": "application/json"},
    )
    with urllib.request.urlopen(request) as response:
        return json.load(response)["choices"][0]["message"]["content"]


tried = os.path.join(folder, "%d-%d" % (task["seed"], task["member"]))
wrong = wrongs[task["member"] % len(wrongs)]
if not os.path.exists(tried):
    open(tried, "w").close()
    if wrong == "hangs":
        child = subprocess.Popen(["sleep", "1000"])
        open(tried, "w").write(str(child.pid))
        time.sleep(1000)
    if wrong == "dies":
        ask([{"role": "user", "content": "1"}])
        sys.exit("no more")
    if wrong == "garbage":
        ask([{"role": "user", "content": "1"}])
        print("what do I know")
        sys.exit()
    if wrong == "silent":
        sys.exit()
    if wrong == "loud":
        ask([{"role": "user", "content": "1"}])
        while True:
            sys.stdout.write("x" * 100000)
if wrong == "unsure":
    ask([{"role": "user", "content": task["question"]}])
    print(json.dumps({"reward": float("nan"), "metrics": {"asked": float("nan")}}))
    sys.exit()
said = ask([{"role": "user", "content": task["question"]}])
print("that was easy")
print(json.dumps({"answer": said, "reward": 0.25, "metrics": {"asked": 1}}))
