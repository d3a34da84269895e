import java.lang.management.ManagementFactory;

/** Works in bursts on some threads, and prints the processor time of its process by the process's own clock. */
public class OwnClock {
    static volatile long sink;

    static void burn() {
        long sum = 0;
        for (int i = 0; i < 2_000_000; i++) sum += i * sum + 7;
        sink = sum;
    }

    static void bursts() {
        try {
            for (int i = 0; i < 40; i++) {
                burn();
                Thread.sleep(2);
            }
        } catch (InterruptedException ended) {
            throw new IllegalStateException(ended);
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Thread[] threads = new Thread[8];
        for (int i = 0; i < threads.length; i++) {
            threads[i] = new Thread(OwnClock::bursts);
            threads[i].start();
        }
        for (Thread thread : threads) thread.join();
        var process = (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        System.out.println(process.getProcessCpuTime());
    }
}
