import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.LockSupport;

/**
 * Ten threads, virtual ones with the argument `virtual`, that wait half a second in each of the ways there are. Prints how long
 * all of them waited in each way, by their own clocks.
 */
public class WaitingThreads {
    static final long MS = 500, NS = MS * 1_000_000;
    static final Object lock = new Object();
    static final AtomicLongArray waited = new AtomicLongArray(5);

    static void enter() {
        synchronized (lock) {
            // Others may enter now.
        }
    }

    static void nap() throws InterruptedException {
        Thread.sleep(MS);
    }

    static void park() {
        for (long end = System.nanoTime() + NS, left = NS; left > 0; left = end - System.nanoTime()) LockSupport.parkNanos(left);
    }

    static void parkFor(Object reason) {
        for (long end = System.nanoTime() + NS, left = NS; left > 0; left = end - System.nanoTime()) {
            LockSupport.parkNanos(reason, left);
        }
    }

    static void await() throws InterruptedException {
        Object own = new Object();
        synchronized (own) {
            own.wait(MS);
        }
    }

    static long next(int way, long before) {
        long now = System.nanoTime();
        waited.addAndGet(way, now - before);
        return now;
    }

    static void waits() {
        try {
            long before = System.nanoTime();
            enter();
            before = next(0, before);
            nap();
            before = next(1, before);
            park();
            before = next(2, before);
            parkFor(lock);
            before = next(3, before);
            await();
            next(4, before);
        } catch (InterruptedException ended) {
            throw new IllegalStateException(ended);
        }
    }

    static Thread started(boolean virtual) throws Exception {
        if (virtual) return (Thread) Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, (Runnable) WaitingThreads::waits);
        Thread thread = new Thread(WaitingThreads::waits);
        thread.start();
        return thread;
    }

    public static void main(String[] args) throws Exception {
        Thread[] threads = new Thread[10];
        synchronized (lock) {
            for (int i = 0; i < threads.length; i++) threads[i] = started(args.length == 1);
            Thread.sleep(MS);
        }
        for (Thread thread : threads) thread.join();
        for (int way = 0; way < waited.length(); way++) System.out.println(waited.get(way));
    }
}
