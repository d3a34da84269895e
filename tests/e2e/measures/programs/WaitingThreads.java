import java.util.concurrent.locks.LockSupport;

/** Ten threads, virtual ones with the argument `virtual`, that wait half a second in each of the ways there are. */
public class WaitingThreads {
    static final long MS = 500, NS = MS * 1_000_000;
    static final Object lock = new Object();
    static int entered;

    static void enter() {
        synchronized (lock) {
            entered++;
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

    static void waits() {
        try {
            enter();
            nap();
            park();
            parkFor(lock);
            await();
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
        System.out.println(entered);
    }
}
