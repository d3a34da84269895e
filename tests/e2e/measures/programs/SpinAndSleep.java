import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/**
 * Works for 2 ms, sleeps for 8 ms, again and again; prints the processor time of each, by the JVM's clock, or with the
 * argument `wall` the time that passed in each.
 */
public class SpinAndSleep {
    static final ThreadMXBean CLOCK = ManagementFactory.getThreadMXBean();
    static long sink, burned, slept, burning, sleeping;

    static void burn() {
        for (long end = System.nanoTime() + 2_000_000; System.nanoTime() < end;) sink++;
    }

    static void idle() throws InterruptedException {
        Thread.sleep(8);
    }

    static void round() throws InterruptedException {
        long began = CLOCK.getCurrentThreadCpuTime(), beganAt = System.nanoTime();
        burn();
        long between = CLOCK.getCurrentThreadCpuTime(), betweenAt = System.nanoTime();
        idle();
        burned += between - began;
        slept += CLOCK.getCurrentThreadCpuTime() - between;
        burning += betweenAt - beganAt;
        sleeping += System.nanoTime() - betweenAt;
    }

    public static void main(String[] args) throws InterruptedException {
        int rounds = Integer.parseInt(args[0]);
        for (int i = 0; i < rounds; i++) round();
        System.out.println(args.length == 2 ? burning + " " + sleeping : burned + " " + slept);
    }
}
