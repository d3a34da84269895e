import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;

/**
 * So many threads that wait, parked, asleep and for a notification by turns, for so many ms. Prints, in ms,
 * the processor time of it, how long it was, and how long there were threads.
 */
public class ManyWait {
    static final Object monitor = new Object();
    static volatile boolean done;

    static void park() {
        while (!done) LockSupport.park(monitor);
    }

    static void sleep() {
        try {
            Thread.sleep(1_000_000);
        } catch (InterruptedException end) {
            // It is over.
        }
    }

    static void await() {
        synchronized (monitor) {
            try {
                while (!done) monitor.wait();
            } catch (InterruptedException end) {
                // It is over.
            }
        }
    }

    static long usedNs() {
        return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getProcessCpuTime();
    }

    public static void main(String[] args) throws Exception {
        Runnable[] ways = {ManyWait::park, ManyWait::sleep, ManyWait::await};
        List<Thread> threads = new ArrayList<>();
        long born = System.nanoTime();
        CountDownLatch started = new CountDownLatch(Integer.parseInt(args[0]));
        for (int i = 0; i < Integer.parseInt(args[0]); i++) {
            Runnable way = ways[i % ways.length];
            Thread thread = new Thread(() -> {
                started.countDown();
                way.run();
            });
            threads.add(thread);
            thread.start();
        }
        started.await();
        Thread.sleep(500);
        long before = usedNs();
        long began = System.nanoTime();
        Thread.sleep(Integer.parseInt(args[1]));
        String told = (usedNs() - before) / 1_000_000 + " " + (System.nanoTime() - began) / 1_000_000;
        done = true;
        for (Thread thread : threads) thread.interrupt();
        for (Thread thread : threads) thread.join();
        System.out.println(told + " " + (System.nanoTime() - born) / 1_000_000);
    }
}
