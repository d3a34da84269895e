import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * So many throws, allocations, and waits of each kind that a test can tell how many there must be. Prints how long it waited,
 * and how much later than it was to, at most, a thread ran that sleeps again and again.
 */
public class Everything {
    static final Object lock = new Object();
    static Object kept;
    static final AtomicLong slept = new AtomicLong();
    static volatile long latest;

    static void fail() {
        throw new IllegalStateException();
    }

    static void deeper(int n) {
        if (n == 0) fail();
        else deeper(n - 1);
    }

    static void turn(int i) {
        try {
            if (i % 2 == 0) fail();
            else deeper(5);
        } catch (IllegalStateException expected) {
        }
    }

    static void allocate() {
        for (int i = 0; i < 1000; i++) kept = new long[1000];
    }

    static synchronized void method() throws InterruptedException {
        long start = System.nanoTime();
        Thread.sleep(20);
        slept.addAndGet(System.nanoTime() - start);
    }

    static void block() throws InterruptedException {
        synchronized (lock) {
            long start = System.nanoTime();
            Thread.sleep(20);
            slept.addAndGet(System.nanoTime() - start);
        }
    }

    static void park() {
        long start = System.nanoTime();
        LockSupport.parkNanos(500_000_000);
        long between = System.nanoTime();
        LockSupport.parkNanos(Thread.currentThread(), 500_000_000);
        System.out.println(between - start);
        System.out.println(System.nanoTime() - between);
    }

    static void await() throws InterruptedException {
        long start = System.nanoTime();
        synchronized (kept) {
            kept.wait(500);
        }
        System.out.println(System.nanoTime() - start);
    }

    static void waits() {
        try {
            for (int i = 0; i < 10; i++) {
                method();
                block();
            }
        } catch (InterruptedException ended) {
            throw new IllegalStateException(ended);
        }
    }

    static void watch() {
        try {
            for (;;) {
                long start = System.nanoTime();
                Thread.sleep(2);
                latest = Math.max(latest, System.nanoTime() - start - 2_000_000);
            }
        } catch (InterruptedException ended) {
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Thread watching = new Thread(Everything::watch);
        watching.setDaemon(true);
        watching.start();
        for (int i = 0; i < 1000; i++) turn(i);
        for (int i = 0; i < 100; i++) allocate();
        park();
        await();
        Thread[] threads = new Thread[3];
        for (int t = 0; t < threads.length; t++) {
            threads[t] = new Thread(Everything::waits);
            threads[t].start();
        }
        for (Thread thread : threads) thread.join();
        System.out.println(slept);
        System.out.println(latest);
    }
}
