#!/usr/bin/env python3
"""Tasks that slices hand over to other threads, against the counts of a program that counts by request."""

import sys
from collections import Counter

sys.path.insert(1, sys.path[0] + "/..")
import driver  # noqa: E402
import jvm  # noqa: E402
from driver import ARGS  # noqa: E402
from slices_test import columns, method_names, slices_of  # noqa: E402

# Handles requests in several threads. A request's calls of query() and row() are counted by its number wherever they run,
# and printed at the end: "SLICE handle=1 query=2 row=7". Each kind of request hands work over in another way.
WORK = """
import java.lang.reflect.Method;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.stream.*;

public class Work {
    static final Map<Integer, Map<String, Integer>> counts = new ConcurrentHashMap<>();
    static void count(int request, String method) {
        counts.computeIfAbsent(request, any -> new ConcurrentHashMap<>()).merge(method, 1, Integer::sum);
    }
    static int query(int request, int rows) {
        count(request, "query");
        for (int i = 0; i < rows; i++) row(request);
        return rows;
    }
    static void row(int request) { count(request, "row"); }

    static final ThreadPoolExecutor pool = new ThreadPoolExecutor(3, 3, 1, TimeUnit.MINUTES, new LinkedBlockingQueue<>());
    static final ExecutorService other = Executors.newCachedThreadPool();
    static final ExecutorService one = Executors.newSingleThreadExecutor();
    static final ExecutorService full = new ThreadPoolExecutor(
        1, 1, 1, TimeUnit.MINUTES, new SynchronousQueue<>(), new ThreadPoolExecutor.CallerRunsPolicy());
    static final ScheduledExecutorService later = Executors.newScheduledThreadPool(2);
    static final ForkJoinPool forks = new ForkJoinPool(3);
    static final CountDownLatch gate = new CountDownLatch(1);
    static final ExecutorService blocked = Executors.newSingleThreadExecutor();
    // Without a request of its own, as a lambda that captures nothing: each slice hands the same object over.
    static final Runnable shared = Work::tick;
    static void tick() {}

    static class Sum extends RecursiveTask<Integer> {
        final int request, from, to;
        Sum(int request, int from, int to) { this.request = request; this.from = from; this.to = to; }
        @Override protected Integer compute() {
            if (to - from < 4) return query(request, to - from);
            Sum left = new Sum(request, from, (from + to) / 2);
            left.fork();
            return new Sum(request, (from + to) / 2, to).compute() + left.join();
        }
    }
    static class Clerk extends Thread {
        final int request;
        Clerk(int request) { this.request = request; }
        @Override public void run() { query(request, 2); query(request, 1); }
    }
    static void await(CountDownLatch latch) {
        try { latch.await(); } catch (InterruptedException e) { throw new IllegalStateException(e); }
    }
    static Object call(Object of, Class<?> type, String name, Class<?> parameter, Object argument) throws Exception {
        return type.getMethod(name, parameter).invoke(of, argument);
    }

    static void handle(int request, int kind) throws Exception {
        count(request, "handle");
        query(request, 1);
        switch (kind) {
            case 0: pool.submit(() -> query(request, 3)).get(); break;
            case 1: {
                CountDownLatch done = new CountDownLatch(1);
                pool.execute(() -> { query(request, 4); done.countDown(); });
                await(done);
                break;
            }
            case 2:
                CompletableFuture.supplyAsync(() -> query(request, 2))
                    .thenApplyAsync(rows -> query(request, rows + 1), pool)
                    .thenCombineAsync(CompletableFuture.supplyAsync(() -> query(request, 1), other), (a, b) -> query(request, a + b))
                    .thenAcceptAsync(rows -> row(request)).join();
                break;
            case 3: {
                Thread thread = new Thread(() -> { query(request, 2); row(request); });
                thread.start();
                thread.join();
                Clerk clerk = new Clerk(request);
                clerk.start();
                clerk.join();
                break;
            }
            case 4:
                other.submit(() -> {
                    query(request, 1);
                    return pool.submit(() -> one.submit(() -> query(request, 5)).get() + query(request, 1)).get();
                }).get();
                break;
            case 5:
                try {
                    pool.submit(() -> { query(request, 2); throw new IllegalStateException("task"); }).get();
                } catch (ExecutionException e) { row(request); }
                CountDownLatch thrown = new CountDownLatch(1);
                other.execute(() -> {
                    try { query(request, 1); throw new IllegalStateException("quiet"); } finally { thrown.countDown(); }
                });
                await(thrown);
                break;
            case 6:
                blocked.submit(() -> query(request, 9)).cancel(true);
                pool.submit(() -> row(request)).get();
                break;
            case 7: CompletableFuture.runAsync(() -> query(request, 6), pool).get(); break;
            case 8:
                forks.invoke(new Sum(request, 0, 30));
                forks.submit(() -> query(request, 2)).get();
                IntStream.range(0, 40).parallel().forEach(i -> row(request));
                break;
            case 9: {
                Runnable task = () -> { query(request, 3); query(request, 2); };
                try {
                    Thread thread = (Thread) call(null, Thread.class, "startVirtualThread", Runnable.class, task);
                    thread.join();
                    ExecutorService each = (ExecutorService) Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
                    for (int i = 0; i < 5; i++) each.submit(() -> query(request, 1));
                    each.shutdown();
                    each.awaitTermination(1, TimeUnit.HOURS);
                } catch (NoSuchMethodException e) {
                    task.run();
                }
                break;
            }
            case 10: {
                List<Callable<Integer>> tasks = new ArrayList<>();
                for (int i = 0; i < 6; i++) { int rows = i; tasks.add(() -> query(request, rows)); }
                pool.invokeAll(tasks);
                break;
            }
            case 11: later.schedule(() -> query(request, 3), 1, TimeUnit.MILLISECONDS).get(); break;
            case 12:
                for (int i = 0; i < 3; i++) one.execute(shared);
                one.submit(() -> row(request)).get();
                break;
            case 13:
                for (int i = 0; i < 4; i++) full.execute(() -> query(request, 2));
                break;
            case 14: pool.execute(() -> { query(request, 7); other.execute(() -> query(request, 1)); }); break;
            case 15: {
                Thread thread = new Thread(() -> {
                    IntStream.range(0, 30).parallel().forEach(i -> row(request));
                    query(request, 2);
                    new Sum(request, 0, 20).invoke();
                    row(request);
                });
                thread.start();
                thread.join();
                break;
            }
        }
        row(request);
    }

    static final int KINDS = 16;

    static void serve(int from, int to) {
        try {
            for (int request = from; request < to; request++) handle(request, request % KINDS);
        } catch (Exception e) {
            e.printStackTrace();
            System.exit(3);
        }
    }

    public static void main(String[] args) throws Exception {
        int threads = Integer.parseInt(args[0]), requests = Integer.parseInt(args[1]);
        blocked.submit(() -> await(gate));
        if (args.length > 2) {
            System.out.println("ready");
            System.in.read();
        }
        // Workers that no slice makes, and some tasks that no slice hands over.
        for (int i = 0; i < 3; i++) pool.execute(() -> query(-1, 1));
        List<Thread> all = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            int from = i * requests;
            all.add(new Thread(() -> serve(from, from + requests)));
        }
        for (Thread thread : all) thread.start();
        for (Thread thread : all) thread.join();
        gate.countDown();
        for (ExecutorService service : List.of(pool, other, one, full, later, forks, blocked)) {
            service.shutdown();
            service.awaitTermination(1, TimeUnit.HOURS);
        }
        counts.remove(-1);
        for (Map<String, Integer> slice : counts.values()) {
            StringBuilder text = new StringBuilder("SLICE");
            new TreeMap<>(slice).forEach((method, calls) -> text.append(" ").append(method).append("=").append(calls));
            System.out.println(text);
        }
        System.out.flush();
    }
}
"""
# A slice whose tasks are slices themselves, threads that serve later slices, and tasks that never end.
OWN = """
import java.util.concurrent.*;

public class Own {
    static void row() {}
    static void inner(int rows) { for (int i = 0; i < rows; i++) row(); }
    static void outer(ExecutorService pool) throws Exception {
        pool.submit(() -> { row(); inner(3); row(); inner(2); row(); }).get();
        row();
    }
    static final BlockingQueue<Runnable> queue = new LinkedBlockingQueue<>();
    static void worker() {
        row();
        try { for (;;) queue.take().run(); } catch (InterruptedException e) { }
    }
    static void starts() throws Exception {
        Thread thread = new Thread(Own::worker);
        thread.setDaemon(true);
        thread.start();
        CountDownLatch done = new CountDownLatch(1);
        queue.add(() -> { row(); done.countDown(); });
        done.await();
    }
    public static void main(String[] args) throws Exception {
        ExecutorService pool = Executors.newSingleThreadExecutor();
        for (int i = 0; i < 5; i++) outer(pool);
        pool.shutdown();
        if (args.length == 0) return;
        starts();
        CountDownLatch done = new CountDownLatch(1);
        queue.add(() -> { inner(4); done.countDown(); });
        done.await();
    }
}
"""
# Hands the same object over twice. Calls are counted for the request that did so last; 0: outside of requests.
BACK = """
import java.util.*;
import java.util.concurrent.*;

public class Back {
    static final Map<Integer, Map<String, Integer>> counts = new ConcurrentHashMap<>();
    static int last = 0;
    static void count(int request, String method) {
        counts.computeIfAbsent(request, any -> new ConcurrentHashMap<>()).merge(method, 1, Integer::sum);
    }
    static void query(int request, int rows) {
        count(request, "query");
        for (int i = 0; i < rows; i++) row(request);
    }
    static void row(int request) { count(request, "row"); }

    interface Step { void run(int request) throws Exception; }
    static void handle(int request, Step step) throws Exception {
        count(request, "handle");
        for (int i = 0; i < 10 * request; i++) row(request);  // so that no two are equal
        step.run(request);
    }
    static void inRequest(Step step) throws Exception { handle(++last, step); }
    static void outside(Step step) throws Exception { step.run(0); }

    static class Job implements Runnable {
        final Queue<Integer> requests = new ConcurrentLinkedQueue<>();
        Job of(int request) { requests.add(request); return this; }
        void takenBack() { requests.remove(); }
        @Override public void run() { query(requests.remove(), 3); }
    }
    static class Fork extends RecursiveAction {
        int request;
        @Override protected void compute() { query(request, 2); }
    }

    static final ThreadPoolExecutor free = new ThreadPoolExecutor(1, 1, 1, TimeUnit.MINUTES, new LinkedBlockingQueue<>());
    static final ScheduledThreadPoolExecutor later = new ScheduledThreadPoolExecutor(1);
    static final ForkJoinPool forks = new ForkJoinPool(2);
    static final CountDownLatch gate = new CountDownLatch(1);
    // Its worker waits, so that tasks stay in the queue.
    static final List<ThreadPoolExecutor> blocked = new ArrayList<>();
    static ThreadPoolExecutor blocked(int places, RejectedExecutionHandler handler) {
        ThreadPoolExecutor pool = new ThreadPoolExecutor(1, 1, 1, TimeUnit.MINUTES, new LinkedBlockingQueue<>(places), handler);
        pool.execute(() -> { try { gate.await(); } catch (InterruptedException e) { } });
        blocked.add(pool);
        return pool;
    }
    interface Giver { void give(Step step) throws Exception; }

    static void all(Giver again) throws Exception {
        ThreadPoolExecutor queue = blocked(100, new ThreadPoolExecutor.AbortPolicy());
        Job removed = new Job();
        inRequest(request -> { queue.execute(removed.of(request)); queue.execute(removed.of(request)); });
        for (int i = 0; i < 2; i++) if (queue.remove(removed)) removed.takenBack();
        if (queue.remove(removed)) throw new IllegalStateException();
        again.give(request -> free.execute(removed.of(request)));

        ThreadPoolExecutor ended = blocked(100, new ThreadPoolExecutor.AbortPolicy());
        Job left = new Job();
        inRequest(request -> { ended.execute(left.of(request)); ended.submit(() -> row(0)); ended.execute(left.of(request)); });
        List<Runnable> tasks = ended.shutdownNow();
        if (tasks.size() != 3 || tasks.get(0) != left || tasks.get(2) != left) throw new IllegalStateException();
        left.requests.clear();
        for (int i = 0; i < 2; i++) again.give(request -> free.execute(left.of(request)));

        for (RejectedExecutionHandler handler : List.of(new ThreadPoolExecutor.DiscardOldestPolicy(), new ThreadPoolExecutor.DiscardPolicy(),
                                                        new ThreadPoolExecutor.AbortPolicy(), new ThreadPoolExecutor.CallerRunsPolicy())) {
            ThreadPoolExecutor full = blocked(1, handler);
            Job first = new Job(), second = new Job();
            inRequest(request -> {
                full.execute(first.of(request));
                try { full.execute(second.of(request)); } catch (RejectedExecutionException e) { }
            });
            Job lost = handler instanceof ThreadPoolExecutor.DiscardOldestPolicy ? first : second;
            if (!(handler instanceof ThreadPoolExecutor.CallerRunsPolicy)) lost.takenBack();
            again.give(request -> free.execute(lost.of(request)));
        }

        // The JDK's own tasks, which are handed over when they are made.
        Job inside = new Job();
        FutureTask<?>[] task = new FutureTask<?>[4];
        inRequest(request -> {
            for (int i = 0; i < 4; i++) task[i] = new FutureTask<>(inside, null);
            queue.execute(task[1]);
            queue.execute(task[3]);
        });
        again.give(request -> { inside.of(request); free.execute(task[0]); });
        queue.remove(task[1]);
        again.give(request -> { inside.of(request); free.execute(task[1]); });
        again.give(request -> { inside.of(request); later.schedule(task[2], 1, TimeUnit.MILLISECONDS).get(); });
        queue.remove(task[3]);
        inside.of(0);
        task[3].run();
        free.submit(() -> {}).get();
        Fork[] fork = new Fork[4];
        inRequest(request -> { for (int i = 0; i < 4; i++) fork[i] = new Fork(); });
        again.give(request -> { fork[0].request = request; forks.submit(fork[0]).get(); });
        again.give(request -> { fork[1].request = request; forks.execute(fork[1]); fork[1].get(); });
        again.give(request -> { fork[2].request = request; forks.invoke(fork[2]); });
        again.give(request -> { fork[3].request = request; fork[3].fork(); while (!fork[3].isDone()) Thread.sleep(1); });
        fork[0].reinitialize();
        again.give(request -> { fork[0].request = request; forks.submit(fork[0]).get(); });

        Thread[] thread = new Thread[1];
        Job started = new Job();
        inRequest(request -> thread[0] = unstarted(started));
        again.give(request -> { started.of(request); thread[0].start(); thread[0].join(); });
        // Two in the queue, one of them outside of requests.
        ThreadPoolExecutor ordered = blocked(100, new ThreadPoolExecutor.AbortPolicy());
        Job both = new Job();
        again.give(request -> ordered.execute(both.of(request)));
        inRequest(request -> ordered.execute(both.of(request)));
        again.give(request -> ordered.execute(both.of(request)));
        free.submit(() -> {}).get();
    }
    static Thread unstarted(Runnable task) throws Exception {
        try {
            Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
            return (Thread) Class.forName("java.lang.Thread$Builder").getMethod("unstarted", Runnable.class).invoke(builder, task);
        } catch (NoSuchMethodException e) {
            return new Thread(task);
        }
    }

    public static void main(String[] args) throws Exception {
        all(Back::inRequest);
        all(Back::outside);
        gate.countDown();
        for (ThreadPoolExecutor pool : blocked) {
            pool.shutdown();
            pool.awaitTermination(1, TimeUnit.HOURS);
        }
        free.shutdown();
        later.shutdown();
        counts.remove(0);
        for (Map<String, Integer> slice : counts.values()) {
            StringBuilder text = new StringBuilder("SLICE");
            new TreeMap<>(slice).forEach((method, calls) -> text.append(" ").append(method).append("=").append(calls));
            System.out.println(text);
        }
    }
}
"""
COUNTED = ("handle", "query", "row")


def own(slices):
    """How many slices have which calls, without the program's lambdas and its own counting."""
    return Counter(tuple(sorted((name, calls[name]) for name in COUNTED if calls.get(name))) for calls in slices)


def told(output):
    rows = [line.split()[1:] for line in output.splitlines() if line.startswith("SLICE ")]
    return [{name: int(calls) for name, calls in (count.split("=") for count in row)} for row in rows]


class Tasks(driver.CommandLineTest):
    keep_all = ("--slice", "Work.handle", "--keep-slices", "10000")

    def run_work(self, *arguments, options=(), home=None):
        return self.done("run", "-q", "-o", self.report, *self.keep_all, *options, "--",
                         *driver.java_command("Work", *arguments, home=home)).stdout

    def check(self, output, slices):
        report = self.load()
        self.assertEqual(len(told(output)), slices)
        self.assertEqual(own(calls for _, calls in slices_of(report)), own(told(output)))
        self.assertEqual(report["slice_totals"], {"keep": 10000, "in_part": 0, "open": 0, "tasks_open": 0, "tasks_late": 0})
        # The sums have them, too.
        names = method_names(report)
        sums = {names[row["method"]]: row["calls"] for row in columns(report, "slice_calls")}
        for name in COUNTED:
            self.assertEqual(sums[name], sum(calls.get(name, 0) for calls in told(output)), name)

    def test_each_slice_has_the_calls_of_its_tasks(self):
        for home in ARGS.homes:
            with self.subTest(home=home):
                self.check(self.run_work(4, 60, home=home), 240)

    def test_with_other_options(self):
        for options in (("--jdk",), ("--by-thread", "each"), ("--memory", "2M"), ("--measure", "cpu,wall,alloc=exact,exceptions,locks"),
                        ("--no-sites",)):
            for home in ARGS.homes if "--jdk" in options else ARGS.homes[:1]:
                with self.subTest(options=options, home=home):
                    self.check(self.run_work(3, 30, options=options, home=home), 90)

    def test_attached(self):
        process = self.start(driver.java_command("Work", 3, 30, "wait"), "ready")
        self.done("attach", str(process.pid), *self.keep_all, "-o", self.report)
        output, _ = process.communicate("\n")
        self.check(output, 90)

    def test_the_tree_of_the_run_is_the_same_without_slices(self):
        self.run_work(1, 15, options=("--measure", "calls"))
        with_slices = {name: self.calls(name) for name in COUNTED}
        self.done("run", "-q", "-o", self.report, "--measure", "calls", "--", *driver.java_command("Work", 1, 15))
        self.assertEqual({name: self.calls(name) for name in COUNTED}, with_slices)

    def test_it_says_where_tasks_were_handed_over(self):
        self.run_work(1, 5)
        report = self.load()
        names, nodes = method_names(report), report["nodes"]
        places = Counter()
        for row in columns(report, "slice_tasks"):
            places[report["slices"]["id"][row["of"]], names[nodes["method"][row["node"]]]] += row["tasks"]
        self.assertEqual({slice_: tasks for (slice_, name), tasks in places.items() if name == "handle"},
                         {1: 1, 2: 1, 3: 5, 4: 2, 5: 1})
        text = self.done("report", self.report, "--slice", "4").stdout
        self.assertRegex(" ".join(text.split()), r"\d+ calls of it are those of 2 tasks in other threads, handed over by Work\.handle \(2\)")
        self.assertRegex(self.done("report", self.report).stdout, r"  [\w-]+, 2 tasks elsewhere")
        rows = self.done("query", self.report, "SELECT name, tasks FROM slice_tasks JOIN contexts ON context = contexts.id "
                         "JOIN methods ON methods.id = contexts.method WHERE slice = 4", "--format", "csv").stdout
        self.assertIn("handle,2", rows)

    def test_a_slice_that_begins_in_a_task_is_one_of_its_own(self):
        self.done("run", "-q", "-o", self.report, "--slice", "Own.*er", "--", *driver.java_command("Own"))
        report = self.load()
        names = method_names(report)
        found = Counter((names[row["method"]], calls.get("row", 0)) for row, (_, calls) in
                        zip(columns(report, "slices"), slices_of(report)))
        # The task's first call of row() and that of outer(); none behind the first slice inside.
        self.assertEqual(found, {("outer", 2): 5, ("inner", 3): 5, ("inner", 2): 5})
        self.assertEqual(report["slice_totals"]["in_part"], 0)

    def test_the_last_hand_over_counts(self):
        for home in ARGS.homes:
            for options in ((), ("--jdk",)):
                with self.subTest(home=home, options=options):
                    output = self.done("run", "-q", "-o", self.report, "--slice", "Back.handle", "--keep-slices", "1000", *options, "--",
                                       *driver.java_command("Back", home=home)).stdout
                    report = self.load()
                    self.assertGreater(len(told(output)), 30)
                    self.assertEqual(own(calls for _, calls in slices_of(report)), own(told(output)))
                    self.assertEqual(report["slice_totals"]["in_part"], 0)

    def test_a_thread_is_of_the_slice_that_started_it_until_it_begins_one(self):
        self.done("run", "-q", "-o", self.report, "--slice", "Own.inner", "--slice", "Own.starts", "--",
                  *driver.java_command("Own", "starts"))
        report = self.load()
        names = method_names(report)
        found = Counter((names[row["method"]], calls.get("row", 0)) for row, (_, calls) in
                        zip(columns(report, "slices"), slices_of(report)))
        self.assertEqual(found, {("starts", 2): 1, ("inner", 3): 5, ("inner", 2): 5, ("inner", 4): 1})


if __name__ == "__main__":
    driver.main("copse", sources=[WORK, OWN, BACK], jdks=True)
