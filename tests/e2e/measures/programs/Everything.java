import java.util.concurrent.locks.LockSupport;

/** So many throws, allocations, and waits of each kind that a test can tell how many there must be. */
public class Everything {
    static final Object lock = new Object();
    static Object kept;

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
        Thread.sleep(20);
    }

    static void block() throws InterruptedException {
        synchronized (lock) {
            Thread.sleep(20);
        }
    }

    static void park() {
        LockSupport.parkNanos(500_000_000);
        LockSupport.parkNanos(Thread.currentThread(), 500_000_000);
    }

    static void await() throws InterruptedException {
        synchronized (kept) {
            kept.wait(500);
        }
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

    public static void main(String[] args) throws InterruptedException {
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
    }
}
