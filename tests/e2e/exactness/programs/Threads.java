// Several threads: started and joined, subclasses of Thread, pools, thread locals, synchronized and
// wait/notify hand-over. Each thread's calls are its own, so the merged tree is always the same.
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

public class Threads {
    static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
    static int climb(int n) {
        if (n == 0) throw new IllegalStateException();
        try { return climb(n - 1); } finally { step(n); }
    }
    static int step(int n) { return n + 1; }
    static long load(int seed) {
        long sum = 0;
        for (int i = 0; i < 200; i++) {
            sum += fib(5 + (i + seed) % 4);
            try { climb(6); } catch (IllegalStateException e) { sum += step(i); }
        }
        return sum;
    }
    static class Worker extends Thread {
        final int seed;
        long result;
        Worker(int seed) { super("worker-" + seed); this.seed = seed; }
        @Override public void run() { result = load(seed); }
    }
    static class Box {
        private Integer value;
        synchronized void put(int n) throws InterruptedException {
            while (!empty()) wait();
            value = n;
            notifyAll();
        }
        synchronized int take() throws InterruptedException {
            while (value == null) wait();
            int n = step(value);
            value = null;
            notifyAll();
            return n;
        }
        private boolean empty() { return value == null; }
    }
    static final ThreadLocal<Integer> LOCAL = ThreadLocal.withInitial(() -> step(41));

    static long plain() throws InterruptedException {
        List<Worker> workers = new ArrayList<>();
        for (int i = 0; i < 6; i++) workers.add(new Worker(i));
        for (Worker w : workers) w.start();
        long sum = 0;
        for (Worker w : workers) { w.join(); sum += w.result; }
        return sum;
    }
    static long pool() throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(3, r -> {
            Thread t = new Thread(r, "pooled");
            step(1);
            return t;
        });
        List<Future<Long>> futures = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            int seed = i;
            futures.add(pool.submit(() -> load(seed)));
        }
        long sum = 0;
        for (Future<Long> f : futures) sum += f.get();
        pool.shutdown();
        pool.awaitTermination(1, TimeUnit.MINUTES);
        ScheduledExecutorService later = Executors.newScheduledThreadPool(1);
        sum += later.schedule(() -> step(LOCAL.get()), 1, TimeUnit.MILLISECONDS).get();
        later.shutdown();
        return sum + LOCAL.get();
    }
    static int handOver() throws InterruptedException {
        BlockingQueue<Integer> queue = new LinkedBlockingQueue<>();
        CountDownLatch done = new CountDownLatch(1);
        int[] sum = new int[1];
        Thread consumer = new Thread(() -> {
            try {
                for (int n = queue.take(); n >= 0; n = queue.take()) sum[0] += step(n);
            } catch (InterruptedException e) {
                sum[0] = -1;
            }
            done.countDown();
        });
        consumer.start();
        for (int i = 0; i < 500; i++) queue.add(step(i));
        queue.add(-1);
        done.await();
        consumer.join();
        return sum[0];
    }
    // The number of times empty() runs depends on scheduling, so one thread does both.
    static int box() throws InterruptedException {
        Box box = new Box();
        int sum = 0;
        for (int i = 0; i < 500; i++) { box.put(i); sum += box.take(); }
        return sum;
    }
    static int shortLived() throws InterruptedException {
        int[] sum = new int[1];
        for (int i = 0; i < 150; i++) {
            int n = i;
            Thread t = new Thread(() -> sum[0] += fib(n % 8));
            t.start();
            t.join();
        }
        return sum[0];
    }

    public static void main(String[] args) throws Exception {
        System.out.println("threads " + (plain() + pool() + handOver() + box() + shortLived()));
    }
}
