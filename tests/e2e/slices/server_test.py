#!/usr/bin/env python3
"""A web server under load, in which one request in a thousand asks the database once per item: found by its slices, against the
counts of the program itself, and held by a rule of the gate."""

import re
import sys
from collections import Counter

sys.path.insert(1, sys.path[0] + "/..")
import driver  # noqa: E402
from driver import ARGS  # noqa: E402
from slices_test import columns, method_names, slices_of  # noqa: E402
from tasks_test import told  # noqa: E402

# Four clients send requests to a server with four threads, which writes its log in a thread of its own. Calls of a request are
# counted by its number and printed at the end: "SLICE handle=1 query=2 row=3 write=1".
SHOP = """
import com.sun.net.httpserver.*;
import java.net.*;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;

public class WebShop {
    static final int ITEMS = 500, CLIENTS = 4;
    static int requests;
    static boolean isMended, firstOneWaits;
    static final Set<Integer> large = new TreeSet<>();
    static final CountDownLatch firstBegan = new CountDownLatch(1);
    static CountDownLatch othersToEnd;

    static final Map<Integer, Map<String, Integer>> counts = new ConcurrentSkipListMap<>();
    static void count(int request, String method) {
        counts.computeIfAbsent(request, any -> new ConcurrentSkipListMap<>()).merge(method, 1, Integer::sum);
    }

    static class Database {
        int query(int request, int rows) {
            count(request, "query");
            for (int i = 0; i < rows; i++) row(request);
            return rows;
        }
        void row(int request) { count(request, "row"); }
    }

    static class Log {
        static final ExecutorService thread = Executors.newSingleThreadExecutor();
        static void write(int request) { count(request, "write"); }
    }

    static class Orders implements HttpHandler {
        final Database database = new Database();

        @Override public void handle(HttpExchange exchange) throws java.io.IOException {
            int request = Integer.parseInt(exchange.getRequestURI().getPath().substring(1));
            count(request, "handle");
            try {
                byte[] page = page(request).getBytes();
                Log.thread.submit(() -> Log.write(request)).get();
                if (request == 0) firstBegan.countDown();
                if (firstOneWaits && request == 0) othersToEnd.await();
                exchange.sendResponseHeaders(200, page.length);
                exchange.getResponseBody().write(page);
            } catch (InterruptedException | ExecutionException e) {
                throw new IllegalStateException(e);
            } finally {
                exchange.close();
            }
        }

        String page(int request) {
            int items = large.contains(request) ? ITEMS : 2;
            database.query(request, 1);
            if (isMended) return "" + database.query(request, items);
            int sum = 0;
            for (int i = 0; i < items; i++) sum += database.query(request, 1);
            return "" + sum;
        }
    }

    static void ask(int port, int request) throws Exception {
        URL url = new URL("http://localhost:" + port + "/" + request);
        try (java.io.InputStream answer = url.openStream()) { answer.readAllBytes(); }
        if (request != 0) othersToEnd.countDown();
    }

    public static void main(String[] args) throws Exception {
        requests = Integer.parseInt(args[0]);
        isMended = args[1].equals("mended");
        firstOneWaits = args[1].equals("wait");
        Random random = new Random(36);
        while (large.size() < requests / 1000) large.add(1 + random.nextInt(requests - 1));
        othersToEnd = new CountDownLatch(requests - 1);
        System.setProperty("sun.net.httpserver.nodelay", "true");
        Log.thread.submit(() -> {}).get();  // so that no request initializes the class
        HttpServer server = HttpServer.create(new InetSocketAddress("localhost", 0), 0);
        ExecutorService threads = Executors.newFixedThreadPool(CLIENTS);
        server.setExecutor(threads);
        server.createContext("/", new Orders());
        server.start();
        int port = server.getAddress().getPort();
        AtomicInteger next = new AtomicInteger();
        ExecutorService clients = Executors.newFixedThreadPool(CLIENTS);
        List<Future<?>> all = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            boolean isFirst = i == 0;
            all.add(clients.submit(() -> {
                if (!isFirst) firstBegan.await();
                for (int request; (request = next.getAndIncrement()) < requests; ) ask(port, request);
                return null;
            }));
        }
        for (Future<?> client : all) client.get();
        clients.shutdown();
        server.stop(0);
        threads.shutdown();
        threads.awaitTermination(1, TimeUnit.HOURS);
        Log.thread.shutdown();
        for (Map<String, Integer> calls : counts.values()) {
            StringBuilder text = new StringBuilder("SLICE");
            calls.forEach((method, number) -> text.append(" ").append(method).append("=").append(number));
            System.out.println(text);
        }
    }
}
"""
COUNTED = ("handle", "query", "row", "write")
REQUESTS = 3000
USUAL, LARGE = (1, 3, 3, 1), (1, 501, 501, 1)


def own(calls):
    return tuple(calls.get(name, 0) for name in COUNTED)


class Server(driver.CommandLineTest):
    rule = "calls(WebShop$Database.query) per slice(WebShop$Orders.handle) > 10"

    def serve(self, kind, *options, home=None, report="report.json"):
        """Calls that each request counted itself, by its number."""
        output = self.done("run", "-q", "-o", report, "--slice", "Orders.handle", *options, "--",
                           *driver.java_command("WebShop", REQUESTS, kind, home=home)).stdout
        return [own(calls) for calls in told(output)]

    def diff(self, *slices):
        words = [word for slice_ in slices for word in ("--slice", slice_)]
        return " ".join(self.done("diff", self.report, *words, "--width", "200").stdout.split())

    def test_the_one_request_in_a_thousand_is_found(self):
        for home in ARGS.homes:
            with self.subTest(home=home):
                slices = self.serve("broken", "--keep-slices", "10000", home=home)
                self.assertEqual(Counter(slices), {USUAL: REQUESTS - 3, LARGE: 3})
                report = self.load()
                self.assertEqual(Counter(own(calls) for _, calls in slices_of(report)), Counter(slices))
                self.assertEqual(report["slice_totals"], {"keep": 10000, "in_part": 0, "open": 0, "tasks_open": 0, "tasks_late": 0})
                self.check_distribution(report, slices)
                text = self.done("report", self.report).stdout
                self.assertRegex(text, r"WebShop\$Orders\.handle: 3,000 slices with [\d,]+ calls, on average")
                self.assertRegex(text, r"(?m)^ +3 +3 +501 +\d+ +WebShop\$Database\.query$")
                self.assertRegex(self.diff("typical", "most-calls"),
                                 r"\+1,992 more 2 500 2 500 Database\.query <- Orders\.page:\d+ <- Orders\.handle")
                # The machine may have made another request slower: it is said that it does no more than others.
                slow = self.diff("typical", "slowest")
                self.assertTrue("WebShop$Database.query" in slow or "makes the same calls" in slow, slow)

    def check_distribution(self, report, slices):
        names = method_names(report)
        rows = {names[row["method"]]: row for row in columns(report, "slice_calls")}
        for place, name in enumerate(COUNTED):
            numbers = [calls[place] for calls in slices]
            row = rows[name]
            self.assertEqual((row["slices"], row["calls"], row["most"]), (len(numbers), sum(numbers), max(numbers)), name)
        told_by_sql = self.done("query", self.report, "SELECT median, percentile_99, most FROM slice_calls JOIN methods "
                                "ON id = slice_calls.method WHERE name LIKE '%.query'", "--format", "csv").stdout
        self.assertIn("3,3,501", told_by_sql)

    def test_a_slow_request_that_does_no_more_than_others_is_told_apart(self):
        # The first request begins before all others and ends after them.
        slices = self.serve("wait", "--keep-slices", "10000")
        self.assertEqual(Counter(slices), {USUAL: REQUESTS - 3, LARGE: 3})
        found = self.diff("typical", "slowest")
        self.assertRegex(found, r"The slice of .* makes the same calls as that of .*: it waited, or the machine was busy\. .* most-calls")
        self.assertIn("No change of calls.", found)
        one = " ".join(self.done("report", self.report, "--slice", "slowest").stdout.split())
        self.assertRegex(one, r"makes no more calls than slice \d+, a typical one of .*: it waited.* are those of slice \d+ \(--slice most-calls\)")
        text = " ".join(self.done("report", self.report).stdout.split())
        self.assertRegex(text, r"no more calls than a typical slice, as \d+ \(")
        self.assertNotIn("makes", self.diff("typical", "most-calls"))

    def test_few_kept_slices_have_them_too(self):
        self.serve("wait")
        report = self.load()
        kept = {word: [own(calls) for row, (_, calls) in zip(columns(report, "slices"), slices_of(report)) if word in row["kept"]]
                for word in ("slowest", "most-calls", "sample")}
        self.assertEqual({word: len(slices) for word, slices in kept.items()}, {"slowest": 20, "most-calls": 20, "sample": 20})
        self.assertEqual(Counter(kept["most-calls"])[LARGE], 3)
        # The lists have the three, among the slowest or below them.
        lists = self.done("report", self.report).stdout.split("Slowest slices", 1)[1].split("Calls per slice", 1)[0]
        most = {row["id"] for row, (_, calls) in zip(columns(report, "slices"), slices_of(report)) if own(calls) == LARGE}
        shown = {int(found) for found in re.findall(r"(?m) (\d+)  [\w-]+(?:,|$)", lists)}
        self.assertLessEqual(most, shown, lists)

    def test_the_gate_holds_once_it_is_mended(self):
        self.serve("broken", report="old.json")
        self.assertEqual(set(self.serve("mended", report="new.json")), {(1, 2, 3, 1), (1, 2, 501, 1)})
        broken = self.copse("diff", "old.json", "old.json", "--fail-if", self.rule)
        self.assertEqual(broken.status, 1, broken)
        self.assertRegex(broken.stdout, r"broken .*501 in old\.json")
        self.assertEqual(self.copse("diff", "old.json", "new.json", "--fail-if", self.rule).status, 0)
        self.assertEqual(self.copse("diff", "new.json", "old.json", "--fail-if", self.rule).status, 1)
        # One slice of each: the large order of either build.
        text = self.done("diff", "old.json", "new.json", "--slice", "most-calls").stdout
        self.assertRegex(text, r"-499 +501 +2 +WebShop\$Database\.query")


if __name__ == "__main__":
    driver.main("copse", sources=[SHOP], jdks=True)
