import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * So many throws, allocations, and waits of each kind that a test can tell how many there must be. Prints how long it waited by
 * its own clock, in each way, and how often a thread could sleep for 2 ms meanwhile.
 */
public class Everything {
    static final Object lock = new Object();
    static Object kept;
    static final AtomicLong slept = new AtomicLong(), entered = new AtomicLong();
    static volatile long naps;

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

    static synchronized void method(long before) throws InterruptedException {
        long start = System.nanoTime();
        entered.addAndGet(start - before);
        Thread.sleep(20);
        slept.addAndGet(System.nanoTime() - start);
    }

    static void block(long before) throws InterruptedException {
        synchronized (lock) {
            long start = System.nanoTime();
            entered.addAndGet(start - before);
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

    static boolean ofBlocks;

    static void waits() {
        try {
            for (int i = 0; i < 10; i++) {
                if (ofBlocks) block(System.nanoTime());
                else method(System.nanoTime());
            }
        } catch (InterruptedException ended) {
            throw new IllegalStateException(ended);
        }
    }

    // One monitor at a time: threads that take two by turns may each time find one of them free.
    static void threeWait(boolean atBlocks) throws InterruptedException {
        ofBlocks = atBlocks;
        Thread[] threads = new Thread[3];
        for (int t = 0; t < threads.length; t++) {
            threads[t] = new Thread(Everything::waits);
            threads[t].start();
        }
        for (Thread thread : threads) thread.join();
    }

    static void watch() {
        try {
            for (;;) {
                Thread.sleep(2);
                naps++;
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
        threeWait(false);
        threeWait(true);
        System.out.println(slept);
        System.out.println(entered);
        System.out.println(naps);
    }
}
