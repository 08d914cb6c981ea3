"""A coding agent: runs the commands that the model calls, in its working directory, until the model calls none."""
import json
import subprocess
import sys
import urllib.request

url, key, task = sys.argv[1:]
SHELL = {"name": "shell", "description": "Runs a command.", "parameters": {"type": "object", "properties": {"command": {"type": "string"}}}}


def ask(messages):
    request = urllib.request.Request(
        url + "/chat/completions",
        json.dumps({"messages": messages, "tools": [{"type": "function", "function": SHELL}]}).encode(),
        {"Authorization": "Bearer " + key, "Content-Type": "application/json"},
    )
    with urllib.request.urlopen(request) as response:
        return json.load(response)["choices"][0]["message"]


messages = [{"role": "user", "content": task}]
while messages[-1]["role"] != "assistant":
    said = ask(messages)
    messages.append(said)
    for call in said.get("tool_calls") or []:
        command = json.loads(call["function"]["arguments"])["command"]
        done = subprocess.run(["sh", "-c", command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        result = "%s[exit status %d]" % (done.stdout[-200:], done.returncode)
        messages.append({"role": "tool", "tool_call_id": call["id"], "content": result})
