import java.util.concurrent.atomic.AtomicLong;

/**
 * Many virtual threads, started by reflection for older compilers, that contend for few monitors. Prints how long they
 * waited by their own clocks, in nanoseconds.
 */
public class VirtualMonitors {
    static final int THREADS = 2000;
    static final Object[] MONITORS = {new Object(), new Object(), new Object()};
    static final AtomicLong waited = new AtomicLong();

    static void enter(Object monitor) {
        long before = System.nanoTime();
        synchronized (monitor) {
            waited.addAndGet(System.nanoTime() - before);
            nap();
        }
    }

    static void nap() {
        try {
            Thread.sleep(1);
        } catch (InterruptedException ended) {
            throw new IllegalStateException(ended);
        }
    }

    static void task(int number) {
        enter(MONITORS[number % MONITORS.length]);
    }

    public static void main(String[] args) throws Exception {
        Thread[] threads = new Thread[THREADS];
        // None goes on before all wait: how fast they start makes no difference.
        synchronized (MONITORS[0]) {
            synchronized (MONITORS[1]) {
                synchronized (MONITORS[2]) {
                    start(threads);
                }
            }
        }
        for (Thread thread : threads) thread.join();
        System.out.println(waited.get());
    }

    static void start(Thread[] threads) throws Exception {
        for (int i = 0; i < threads.length; i++) {
            int number = i;
            threads[i] = (Thread) Thread.class.getMethod("startVirtualThread", Runnable.class)
                .invoke(null, (Runnable) () -> task(number));
        }
        for (Thread thread : threads) {
            while (thread.getState() != Thread.State.BLOCKED) Thread.sleep(1);
        }
    }
}
