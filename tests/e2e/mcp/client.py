"""A client of copse mcp over pipes: requests as lines of JSON, answers by id."""

import json
import os
import subprocess

import jvm


class Client:
    def __init__(self, copse, folder, *options, begin=True, env=None):
        self.process = subprocess.Popen([copse, "mcp", *options], cwd=folder, env=env, stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.notifications = []
        self.last_id = 0
        if begin:
            self.about = self.request("initialize", protocolVersion="2025-06-18", capabilities={},
                                      clientInfo={"name": "test", "version": "1"})["result"]
            self.send(jsonrpc="2.0", method="notifications/initialized")

    def send(self, **message):
        self.write(json.dumps(message).encode() + b"\n")

    def write(self, line):
        self.process.stdin.write(line)
        self.process.stdin.flush()

    def read(self):
        """The next message that is no notification; None at the end."""
        while line := self.process.stdout.readline():
            message = json.loads(line)
            if "id" in message:
                return message
            self.notifications.append(message)
        return None

    def read_batch(self):
        answers = json.loads(self.process.stdout.readline())
        assert isinstance(answers, list), answers
        return answers

    def read_notifications(self, count):
        """Until so many have come in all."""
        while len(self.notifications) < count:
            message = json.loads(self.process.stdout.readline())
            assert "id" not in message, message
            self.notifications.append(message)

    def begin(self, method, **params):
        self.last_id += 1
        self.send(jsonrpc="2.0", id=self.last_id, method=method, params=params)
        return self.last_id

    def request(self, method, **params):
        number = self.begin(method, **params)
        answer = self.read()
        assert answer["id"] == number, answer
        return answer

    def call(self, tool, **arguments):
        """(text, whether it is a failure) of a tool's answer."""
        result = self.request("tools/call", name=tool, arguments=arguments)["result"]
        assert [part["type"] for part in result["content"]] == ["text"], result
        return result["content"][0]["text"], result.get("isError", False)

    def close(self):
        """Ends its input; (exit status, what came on standard error)."""
        self.process.stdin.close()
        rest = self.process.stdout.read()
        assert not rest, rest
        complaints = self.process.stderr.read().decode()
        self.process.stdout.close()
        self.process.stderr.close()
        return self.process.wait(timeout=jvm.TIMEOUT_S), complaints
