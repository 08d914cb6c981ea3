"""An agent outside of roll, of Python's standard library alone: it answers questions with the tools of the run."""
import json
import sys
from http.client import HTTPConnection
from threading import Thread
from urllib.parse import urlsplit


def play(task):
    base = urlsplit(task["base_url"])
    connection = HTTPConnection(base.netloc)

    def post(path, body):
        headers = {"Authorization": "Bearer " + task["api_key"], "Content-Type": "application/json"}
        connection.request("POST", base.path + path, json.dumps(body), headers)
        return json.load(connection.getresponse())

    messages = [{"role": "user", "content": task["question"]}]
    while messages[-1]["role"] != "assistant":
        reply = post("/chat/completions", {"messages": messages, "tools": task["tools"]})
        if "choices" not in reply:  # "stop_reason" says whether tokens or steps are used up
            break
        messages.append(reply["choices"][0]["message"])
        for call in messages[-1].get("tool_calls", []):
            result = post("/tools/" + call["function"]["name"], json.loads(call["function"]["arguments"]))
            messages.append({"role": "tool", "tool_call_id": call["id"], "content": result["content"]})
    print(json.dumps({"id": task["id"], "answer": messages[-1]["content"]}) + "\n", end="", flush=True)


for line in sys.stdin:  # one episode, or with "processes" many at once
    Thread(target=play, args=[json.loads(line)]).start()
