import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * So many times 200 threads that use about a millisecond each. Prints a second argument at the start, and at the end how much
 * that work took in all, by the JVM's clock.
 */
public class ShortThreads {
    static final ThreadMXBean CLOCK = ManagementFactory.getThreadMXBean();
    static final AtomicLong used = new AtomicLong();
    static volatile long sink;

    static void burn(int n) {
        long sum = 0;
        for (int i = 0; i < n; i++) sum += i * sum + 7;
        sink = sum;
    }

    static void serve() {
        long began = CLOCK.getCurrentThreadCpuTime();
        burn(800_000);
        used.addAndGet(CLOCK.getCurrentThreadCpuTime() - began);
    }

    public static void main(String[] args) throws InterruptedException {
        if (args.length > 1) System.out.println(args[1]);
        int rounds = Integer.parseInt(args[0]);
        for (int round = 0; round < rounds; round++) {
            Thread[] threads = new Thread[200];
            for (int i = 0; i < threads.length; i++) {
                threads[i] = new Thread(ShortThreads::serve, "server-" + i);
                threads[i].start();
            }
            for (Thread thread : threads) thread.join();
        }
        System.out.println(used.get());
    }
}
