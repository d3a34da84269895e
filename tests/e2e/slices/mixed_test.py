#!/usr/bin/env python3
"""Slices of requests that make random chains of tasks: threads, virtual threads, futures, parallel streams, schedules, nested requests
and exceptions, against the counts of the program itself."""

import os
import signal
import sys
from collections import Counter

sys.path.insert(1, sys.path[0] + "/..")
import driver  # noqa: E402
from driver import ARGS  # noqa: E402
from slices_test import slices_of  # noqa: E402
from tasks_test import told  # noqa: E402

# Its arguments: a seed, and what to do besides. Calls are counted by request: "SLICE fail=1 handle=1 query=3 row=7 step=4".
MIX = """
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.stream.*;

public class Mix {
    static final int THREADS = 4, REQUESTS = 60;
    static final Map<Integer, Map<String, AtomicInteger>> counts = new ConcurrentSkipListMap<>();
    static void count(int r, String method) {
        counts.computeIfAbsent(r, any -> new ConcurrentSkipListMap<>()).computeIfAbsent(method, any -> new AtomicInteger()).incrementAndGet();
    }
    static void query(int r, int rows) { count(r, "query"); for (int i = 0; i < rows; i++) row(r); }
    static int row(int r) { count(r, "row"); return 1; }
    static int fail(int r) { count(r, "fail"); throw new IllegalStateException("fail"); }

    static final ExecutorService pool = Executors.newCachedThreadPool(), other = Executors.newCachedThreadPool();
    // As many threads as tasks may wait for one another.
    static final ScheduledExecutorService later = Executors.newScheduledThreadPool(64);
    static final ForkJoinPool forks = new ForkJoinPool(3);
    static final ExecutorService virtual = virtual();
    static ExecutorService virtual() {
        try {
            return (ExecutorService) Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
        } catch (ReflectiveOperationException e) {
            return other;
        }
    }
    static <T> CompletableFuture<T> later(Callable<T> task) {
        return CompletableFuture.supplyAsync(() -> {
            try { return task.call(); } catch (Exception e) { throw new CompletionException(e); }
        }, pool);
    }

    static int step(int r, long seed, int depth) throws Exception {
        count(r, "step");
        Random random = new Random(seed);
        int n = random.nextInt(5);
        long next = random.nextLong();
        switch (depth == 0 ? random.nextInt(3) : random.nextInt(16)) {
            case 0: query(r, n); break;
            case 1: try { fail(r); } catch (IllegalStateException e) { row(r); } break;
            case 2: row(r); break;
            case 3: virtual.submit(() -> step(r, next, depth - 1)).get(); break;
            case 4:
                later(() -> step(r, next, depth - 1)).thenApplyAsync(x -> row(r), pool)
                    .thenCompose(x -> CompletableFuture.supplyAsync(() -> row(r))).handleAsync((x, e) -> row(r)).join();
                break;
            case 5: IntStream.range(0, 20).parallel().forEach(i -> query(r, i % 3)); break;
            case 6: later.schedule(() -> step(r, next, depth - 1), 1, TimeUnit.MILLISECONDS).get(); break;
            case 7: step(r, next, depth - 1); step(r, next + 1, depth - 1); break;
            case 8:
                try { other.submit(() -> step(r, next, depth - 1) + fail(r)).get(); } catch (ExecutionException e) { row(r); }
                break;
            case 9: {
                FutureTask<Integer> task = new FutureTask<>(() -> step(r, next, depth - 1) + step(r, next + 1, depth - 1));
                Thread thread = new Thread(task);
                thread.start();
                task.get();
                break;
            }
            case 10: {
                Thread thread = new Thread(() -> {
                    IntStream.range(0, 20).parallel().forEach(i -> row(r));
                    try { step(r, next, depth - 1); } catch (Exception e) { throw new IllegalStateException(e); }
                });
                thread.start();
                thread.join();
                break;
            }
            case 11: forks.submit(() -> IntStream.range(0, 15).parallel().map(i -> row(r)).sum()).get(); break;
            case 12: CompletableFuture.runAsync(() -> fail(r), pool).thenRun(() -> row(r)).exceptionally(e -> null).join(); break;
            case 13:
                for (Future<?> future : virtual.invokeAll(Collections.nCopies(3, () -> row(r)))) future.get();
                break;
            case 14: {
                CompletableFuture<Integer> a = later(() -> row(r)), b = later(() -> step(r, next, depth - 1));
                CompletableFuture.allOf(a, b).thenRunAsync(() -> row(r)).join();
                a.thenCombineAsync(b, (x, y) -> row(r)).join();
                break;
            }
            // Nested: elsewhere it is a slice of its own.
            default: if (Thread.currentThread().getName().startsWith("http-")) handle(r, next, depth - 1, false); else row(r);
        }
        return 1;
    }

    static void handle(int r, long seed, int depth, boolean fails) throws Exception {
        count(r, "handle");
        for (int i = 0; i < 3; i++) step(r, seed + i, depth);
        if (fails) fail(r);
    }

    static void serve(int first, long seed) {
        for (int r = first; r < REQUESTS * THREADS; r += THREADS) {
            try {
                handle(r, seed + 7919 * r, 3, r % 5 == 0);
            } catch (IllegalStateException e) {
                // The request failed.
            } catch (Exception e) {
                e.printStackTrace();
                System.exit(3);
            }
        }
    }

    public static void main(String[] args) throws Exception {
        if (args[1].equals("wait")) {
            System.out.println("ready");
            System.in.read();
        }
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            int first = i;
            threads.add(new Thread(() -> serve(first, Long.parseLong(args[0])), "http-" + i));
        }
        for (Thread thread : threads) thread.start();
        for (Thread thread : threads) thread.join();
        for (ExecutorService service : List.of(pool, other, later, forks, virtual)) {
            service.shutdown();
            service.awaitTermination(1, TimeUnit.HOURS);
        }
        counts.forEach((r, calls) -> {
            StringBuilder text = new StringBuilder("SLICE");
            calls.forEach((method, number) -> text.append(" ").append(method).append("=").append(number));
            System.out.println(text);
        });
        if (args[1].equals("stay")) {
            System.out.println("PID " + ProcessHandle.current().pid());
            System.out.println("done");
            Thread.sleep(600_000);
        }
    }
}
"""
COUNTED = ("handle", "step", "query", "row", "fail")
REQUESTS = 240


def own(slices):
    return Counter(tuple(calls.get(name, 0) for name in COUNTED) for calls in slices)


class Mixed(driver.CommandLineTest):
    options = ("-q", "--slice", "Mix.handle", "--keep-slices", "10000")

    def check(self, output):
        self.assertEqual(len(told(output)), REQUESTS)
        report = self.load()
        self.assertEqual(own(calls for _, calls in slices_of(report)), own(told(output)))
        self.assertEqual(report["slice_totals"], {"keep": 10000, "in_part": 0, "open": 0, "tasks_open": 0, "tasks_late": 0})

    def test_each_slice_has_what_its_request_counted(self):
        for home in ARGS.homes:
            for seed in (1, 2, 3):
                with self.subTest(home=home, seed=seed):
                    self.check(self.done("run", *self.options, "-o", self.report, "--",
                                         *driver.java_command("Mix", seed, "end", home=home)).stdout)

    def test_attached(self):
        process = self.start(driver.java_command("Mix", 4, "wait", home=ARGS.homes[-1]), "ready")
        self.done("attach", str(process.pid), *self.options, "-o", self.report)
        output, _ = process.communicate("\n")
        self.check(output)

    def test_the_calls_of_slices_outlive_a_killed_jvm(self):
        process = self.start([ARGS.copse, "run", *self.options, "-o", self.report, "--",
                              *driver.java_command("Mix", 5, "stay", home=ARGS.homes[-1])])
        lines = []
        while (line := process.stdout.readline()) != "done\n":
            lines.append(line)
        os.kill(int(lines.pop().split()[1]), signal.SIGKILL)
        process.wait()
        self.assertTrue(any(f": {REQUESTS} slices had begun." in note for note in self.load()["notes"]))
        counted = sum((Counter(calls) for calls in told("".join(lines))), Counter())
        self.assertEqual({name: self.calls(name) for name in COUNTED}, dict(counted))


if __name__ == "__main__":
    driver.main("copse", sources=[MIX], jdks=True)
