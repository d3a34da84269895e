#!/usr/bin/env python3
"""A fleet's sum of runs is that of the runs, to the last call, whatever became of servers and connections meanwhile.

Two servers of ClickHouse are started as shards, with examples/fleet/start_servers. Where it is not installed, only what
needs no server is tested, and the driver says so."""

import contextlib
import json
import os
import random
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
import unittest

sys.path.insert(1, sys.path[0] + "/..")
import driver  # noqa: E402
import jvm  # noqa: E402
from driver import ARGS, REPOSITORY  # noqa: E402

RUNS = 24
SUMS = "SELECT path(id) AS p, sum(calls) FROM contexts GROUP BY p ORDER BY p"
HAS_CLICKHOUSE = all(map(shutil.which, ("clickhouse-server", "clickhouse-client", "curl")))
EXAMPLE = REPOSITORY / "examples/fleet"


def free_ports(count):
    """Ports without a listener."""
    with contextlib.ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket()) for _ in range(count)]
        for each in sockets:
            each.bind(("127.0.0.1", 0))
        return [each.getsockname()[1] for each in sockets]


class Runs(driver.CommandLineTest):
    """Makes reports of runs that share most of their contexts."""

    def make_run(self, name, seed, threads=3, calls=60):
        choose = random.Random(seed)
        lines = ["copse trace text 1"] + [f"method {m} p.C{m % 4} m{m}" for m in range(1, 9)]
        for thread in range(threads):
            lines.append(f"{thread} start")
            depth = 0
            for _ in range(calls):
                if depth and (depth > 6 or choose.random() < 0.4):
                    lines.append(f"{thread} return")
                    depth -= 1
                else:
                    lines.append(f"{thread} call {choose.randint(1, 8)}")
                    depth += 1
            lines += [f"{thread} return"] * depth + [f"{thread} end"]
        (self.folder / "run.trace").write_text("\n".join(lines) + "\n")
        self.done("replay", "run.trace", "-o", name)
        self.say_of_run(name, started=f"2026-11-{1 + seed % 3:02}T08:00:00Z", wall_ms=100.5 + seed)
        return name

    def say_of_run(self, name, **facts):
        """A replay does not know when its run was, nor how long it took."""
        report = json.loads((self.folder / name).read_text())
        report["program"].update(facts)
        (self.folder / name).write_text(json.dumps(report))

    def make_first_of_several(self, name):
        """As `copse run --runs 2` of runs that were equal."""
        report = json.loads((self.folder / name).read_text())
        report["program"]["runs"] = 2
        for measure in ("least_calls", "greatest_calls"):
            report["metrics"].append({"name": measure, "unit": "calls", "lost": 0})
            report["nodes"][measure] = report["nodes"]["calls"]
        (self.folder / name).write_text(json.dumps(report))

    def sums(self, *reports):
        return self.done("query", *reports, SUMS, "--format", "csv").stdout


class WithoutServers(Runs):
    def setUp(self):
        super().setUp()
        self.make_run("run.json", 1)

    def export(self, url, *files, **more):
        return self.copse("export", "--clickhouse", url, "--service", "s", "--version", "1", "--retry", "1s", *files, **more)

    def answering(self, answer):
        """The URL of a server that gives each request this answer."""
        listener = socket.create_server(("127.0.0.1", 0))
        self.addCleanup(listener.close)

        def serve():
            with contextlib.suppress(OSError):
                while True:
                    connection, _ = listener.accept()
                    with connection:
                        connection.settimeout(5)
                        with contextlib.suppress(OSError):
                            while b"\r\n\r\n" not in connection.recv(1 << 20):
                                pass
                        connection.sendall(answer)
        threading.Thread(target=serve, daemon=True).start()
        return f"http://127.0.0.1:{listener.getsockname()[1]}"

    def test_a_server_that_is_down_is_one_line(self):
        url = f"http://127.0.0.1:{free_ports(1)[0]}"
        self.assert_one_line(self.export(url, "run.json"), 1, "copse: run.json: ", url)
        self.assert_one_line(self.copse("import", "--clickhouse", url, "-o", "x.json"), 1, "copse: " + url)
        self.assertFalse((self.folder / "x.json").exists())

    def test_an_answer_that_is_none_is_one_line(self):
        for answer, said in ((b"HTTP/1.1 404 Not Found\r\nContent-Length: 9\r\n\r\nno\x1b[2J\nno", "no\\u001b[2J"),
                             (b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc", "an answer that"),
                             (b"HTTP/1.1 500 E\r\nContent-Length: 0\r\n\r\n", "status 500"),
                             (b"HTTP/1.1 302 F\r\nLocation: file:///etc/passwd\r\nContent-Length: 0\r\n\r\n", "status 302"),
                             (b"nonsense", "127.0.0.1")):
            with self.subTest(said):
                url = self.answering(answer)
                self.assert_one_line(self.export(url, "run.json"), 1, said)
                self.assert_one_line(self.copse("import", "--clickhouse", url, "-o", "x.json"), 1, url)

    def test_says_what_to_type_instead(self):
        self.assert_one_line(self.export("host:8123", "run.json"), 2, "host:8123: ")
        self.assert_one_line(self.export("ftp://u:secret@host/db", "run.json"), 2, "ftp://host: ")
        self.assert_one_line(self.export("http://host/d;b", "run.json"), 2, "http://host: ")
        self.assert_one_line(self.export("http://host", "run.json", "--retry", "x"), 2, "--retry")
        self.assert_one_line(self.copse("import", "--clickhouse", "http://h", "-o", "x.json", "--since", "today"), 2,
                             "--since today: ")
        self.assert_one_line(self.copse("import", "--clickhouse", "http://h", "-o", "x.db"), 2, "x.db")
        for condition in ("version = '1'; DROP TABLE copse.counts", "1 = 1", "version = version", "sleep(3)", "day = today()"):
            self.assert_one_line(self.copse("import", "--clickhouse", "http://h", "-o", "x.json", "--where", condition), 2,
                                 "copse: --where: column ")

    def test_does_not_send_what_would_count_twice(self):
        self.say_of_run("run.json", snapshot=2)
        self.assert_one_line(self.export("http://127.0.0.1:1", "run.json"), 1, "run.json: ")
        self.say_of_run("run.json", snapshot=0, started="")
        self.assert_one_line(self.export("http://127.0.0.1:1", "run.json"), 1, "run.json: ")


@unittest.skipUnless(HAS_CLICKHOUSE, "ClickHouse is not installed (clickhouse-server, clickhouse-client, curl)")
class Fleet(Runs):
    def setUp(self):
        super().setUp()
        self.ports = free_ports(4)
        self.urls = [f"http://127.0.0.1:{self.ports[0]}", f"http://127.0.0.1:{self.ports[2]}"]
        self.servers = os.path.join(self.folder, "servers")
        self.addCleanup(self.kill_servers)
        self.start_servers()

    def start_servers(self):
        subprocess.run([EXAMPLE / "start_servers", self.servers, *map(str, self.ports)], check=True, capture_output=True)

    def kill(self, number):
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):
            with open(os.path.join(self.servers, str(number), "pid"), encoding="utf-8") as file:
                pid = int(file.read())
            os.kill(pid, signal.SIGKILL)
            while os.path.exists(f"/proc/{pid}/fd/0"):  # its ports are free when it is gone
                time.sleep(0.02)

    def kill_servers(self):
        for number in (1, 2):
            self.kill(number)

    def sql(self, statement, server=0):
        done = subprocess.run(["clickhouse-client", "--host", "127.0.0.1", "--port", str(self.ports[2 * server + 1]),
                               "--query", statement], capture_output=True, text=True, check=True)
        return done.stdout.strip()

    def command(self, *files, urls=None, retry="20s", version="1"):
        servers = [word for url in urls or self.urls for word in ("--clickhouse", url)]
        return ["export", *servers, "--service", "s'hop", "--version", version, "--retry", retry, *files]

    def fleet_sums(self, *words):
        self.done("import", "--clickhouse", self.urls[1], "--service", "s'hop", "-o", "fleet.json", *words)
        self.load("fleet.json")
        return self.sums("fleet.json")

    def test_the_sum_of_runs_is_that_of_the_runs(self):
        runs = [self.make_run(f"{i}.json", i) for i in range(RUNS)]
        self.make_first_of_several(runs[0])
        said = self.done(*self.command(*runs)).stdout
        self.assertEqual(said.count("; the first of its 2 runs, without what contexts had least and most\n"), 1)
        self.assertEqual(said.count(": added, "), RUNS)
        for url in self.urls:
            self.assertIn(url, said)  # both servers have some
        self.assertEqual(self.fleet_sums(), self.sums(*runs))
        # The same after the servers' own merges, which leave one row for each context and day.
        for server in (0, 1):
            self.sql("OPTIMIZE TABLE copse.counts FINAL", server)
            self.assertEqual(self.sql("SELECT max(n) FROM (SELECT count() AS n FROM copse.counts WHERE measure = 'calls' "
                                      "GROUP BY day, context)", server), "1")
        self.assertEqual(self.fleet_sums(), self.sums(*runs))
        # Selections of it.
        days = [run for i, run in enumerate(runs) if i % 3 == 1]
        self.assertEqual(self.fleet_sums("--since", "2026-11-02", "--until", "2026-11-02"), self.sums(*days))
        self.done(*self.command("0.json", version="2"))
        self.assertEqual(self.fleet_sums("--version", "2"), self.sums("0.json"))

    def test_a_condition_chooses_the_runs_of_a_selection(self):
        runs = [self.make_run(f"{i}.json", i) for i in range(6)]
        self.done(*self.command(*runs))
        self.done(*self.command("0.json", version="2"))
        first, second, third = (runs[day::3] for day in range(3))
        for condition, chosen in {
                "version = '1'": runs, "version = '1' AND day = 2026-11-02": second,
                "version IN ('1', '3') AND NOT day BETWEEN 2026-11-02 AND 2026-11-02": [*first, *third],
                "version LIKE '_' AND service LIKE 's''%' AND day != '2026-11-02'": [*first, *third, "0.json"],
                "version = '2' OR (version = '1' AND day < 2026-11-02)": [*first, "0.json"],
                "version != '1'": ["0.json"]}.items():
            with self.subTest(condition):
                self.assertEqual(self.fleet_sums("--where", condition), self.sums(*chosen))
        for hostile in (r"version = '\'' OR 1 = 1 --'", r"version = ''') OR 1 = 1 --'", r"version LIKE '\\\%'"):
            self.assert_one_line(self.copse("import", "--clickhouse", self.urls[0], "--where", hostile, "-o", "x.json"), 1,
                                 "has no runs")
        self.fleet_sums("--where", "version = '1'")
        summary = self.done("report", "fleet.json").stdout
        self.assertTrue(summary.startswith("s'hop where version = '1'\nsum of 6 reports\nfirst started 2026-11-01\n"), summary)
        self.assertIn("Sum of 6 runs of a fleet, of 2026-11-01 to 2026-11-03", summary)
        self.assert_one_line(self.copse(*self.command("fleet.json")), 1, "fleet.json: ", "6 reports")
        self.assert_one_line(self.copse("import", "--clickhouse", self.urls[0], "--version", "3", "-o", "x.json"), 1, self.urls[0])

    def test_a_run_that_is_sent_again_counts_once(self):
        runs = [self.make_run(f"{i}.json", i) for i in range(3)]
        self.done(*self.command(*runs))
        self.assertEqual(self.done(*self.command(*runs)).stdout.count(": was there before, "), 3)
        # By many at once, of a run that is not there yet.
        runs.append(self.make_run("new.json", 9, threads=40, calls=400))
        senders = [subprocess.Popen([ARGS.copse, *self.command("new.json")], cwd=self.folder, stdout=subprocess.PIPE, text=True)
                   for _ in range(6)]
        said = [sender.communicate()[0] for sender in senders]
        self.assertEqual([sender.returncode for sender in senders], [0] * 6, said)
        self.assertEqual(self.fleet_sums(), self.sums(*runs))

    def test_nothing_is_lost_or_doubled_where_a_server_is_down(self):
        runs = [self.make_run(f"{i}.json", i) for i in range(6)]
        self.done(*self.command(*runs[:2]))
        self.kill(2)
        self.assert_one_line(self.copse(*self.command(*runs[2:], retry="1s")), 1, "2.json: ")
        self.assert_one_line(self.copse("import", "--clickhouse", self.urls[0], "-o", "x.json"), 1, self.urls[0])
        # One that comes back while it is waited for.
        sender = self.start([ARGS.copse, *self.command(*runs)])
        self.start_servers()
        said, _ = sender.communicate()
        self.assertEqual(sender.returncode, 0, said)
        self.assertEqual(self.fleet_sums(), self.sums(*runs))

    def test_a_server_that_is_killed_has_a_run_whole_or_not_at_all(self):
        run = self.make_run("large.json", 5, threads=60, calls=2000)
        for stage in (None, "copse.methods", "copse.contexts", "copse.counts"):
            with self.subTest(stage):
                for table in ("methods", "contexts", "counts"):
                    self.sql(f"TRUNCATE TABLE copse.{table}")
                sender = self.start([ARGS.copse, *self.command(run, urls=self.urls[:1], retry="60s")])
                while stage and self.sql(f"SELECT count() > 0 FROM {stage}") == "0":
                    pass
                self.kill(1)
                self.start_servers()
                said, _ = sender.communicate()
                self.assertEqual(sender.returncode, 0, said)
                self.assertEqual(self.fleet_sums(), self.sums(run))

    def test_a_connection_that_breaks_counts_nothing_twice(self):
        """Before the rows are through, or after all of them, when only the answer is lost."""
        run = self.make_run("run.json", 7)
        statements = 0
        for keeps_rows in (True, False):
            for breaks_in in range(1, 8):
                with self.subTest(keeps_rows=keeps_rows, breaks_in=breaks_in):
                    url, seen = self.breaking(breaks_in, keeps_rows)
                    outcome = self.copse(*self.command(run, urls=[url], retry="1ms"))
                    if len(seen) < breaks_in:  # an export has no more statements
                        self.assertEqual(outcome.status, 0, outcome)
                        continue
                    statements = max(statements, breaks_in)
                    self.assert_one_line(outcome, 1, "run.json: ")
                    self.done(*self.command(run, urls=self.urls[:1]))
                    self.assertEqual(self.fleet_sums(), self.sums(run))
                for server in (0, 1):
                    self.sql("TRUNCATE TABLE copse.counts", server)
        self.assertEqual(statements, 5)  # is it there, methods, contexts, counts, is it there

    def breaking(self, number, keeps_rows):
        """A way to the first server that hides its answer to the so-manieth request, and without `keeps_rows` the end of
        that request from the server; and the requests that came."""
        listener = socket.create_server(("127.0.0.1", 0))
        self.addCleanup(listener.close)
        seen = []

        def pass_on(connection):
            head, body = b"", b""
            while b"\r\n\r\n" not in head:
                head += connection.recv(1 << 16) or b"\r\n\r\n"
            head, body = head.split(b"\r\n\r\n", 1)
            length = next((int(line.split(b":")[1]) for line in head.split(b"\r\n")
                           if line.lower().startswith(b"content-length")), None)
            if length is None:
                return
            while len(body) < length:
                body += connection.recv(1 << 16)
            seen.append(head)
            request = head + b"\r\nConnection: close\r\n\r\n" + body
            breaks = len(seen) == number
            with socket.create_connection(("127.0.0.1", self.ports[0]), timeout=jvm.TIMEOUT_S) as server:
                server.sendall(request if keeps_rows or not breaks else request[:-max(1, length // 4)])
                if breaks and not keeps_rows:
                    return
                answer = b""
                while more := server.recv(1 << 16):
                    answer += more
            if not breaks:
                connection.sendall(answer)

        def serve():
            with contextlib.suppress(OSError):
                while True:
                    connection, _ = listener.accept()
                    with connection:
                        connection.settimeout(20)
                        with contextlib.suppress(OSError):
                            pass_on(connection)
        threading.Thread(target=serve, daemon=True).start()
        return f"http://127.0.0.1:{listener.getsockname()[1]}", seen

    def test_runs_that_are_there_in_part_are_told(self):
        run = self.make_run("run.json", 3)
        self.done(*self.command(run))
        self.sql("INSERT INTO copse.counts VALUES ('2026-11-01', 's\\'hop', '1', '(parts)', 'abcdefghijklmnop', 2)")
        self.assert_one_line(self.copse("import", "--clickhouse", self.urls[0], "-o", "x.json"), 1, "1 of 3 parts")
        self.sql("INSERT INTO copse.counts VALUES ('2026-11-01', 's\\'hop', '1', '(part)', 'abcdefghijklmnop', 2)")
        self.assert_one_line(self.copse("import", "--clickhouse", self.urls[0], "-o", "x.json"), 1, self.urls[0])

    def test_a_server_without_the_tables_says_so(self):
        self.sql("DROP TABLE copse.counts")
        self.assert_one_line(self.copse(*self.command(self.make_run("run.json", 3), urls=self.urls[:1])), 1, "copse.counts")


@unittest.skipUnless(HAS_CLICKHOUSE, "ClickHouse is not installed (clickhouse-server, clickhouse-client, curl)")
class Example(unittest.TestCase):
    def test_has_the_sum_of_a_small_fleet(self):
        if str(ARGS.copse) != str(REPOSITORY / "build/release/copse"):
            self.skipTest("it runs the release build")
        ran = subprocess.run([EXAMPLE / "run", "3"], capture_output=True, text=True, check=False)
        self.assertEqual(ran.returncode, 0, ran.stdout + ran.stderr)
        self.assertIn("the sums are equal, to the last call:\n", ran.stdout)


driver.main("copse")
