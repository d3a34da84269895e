import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/**
 * Works for 2 ms, sleeps for 8 ms, again and again; prints the processor time of each, by the JVM's clock, or with the
 * argument `wall` the time that passed in each.
 */
public class SpinAndSleep {
    static final ThreadMXBean CLOCK = ManagementFactory.getThreadMXBean();
    static long sink, burned, slept;

    static void burn() {
        for (long end = System.nanoTime() + 2_000_000; System.nanoTime() < end;) sink++;
    }

    static void idle() throws InterruptedException {
        Thread.sleep(8);
    }

    // The processor's clock is a call of the system, at which a busy one likes to run others: not where time passes.
    static long now(boolean isWall) {
        return isWall ? System.nanoTime() : CLOCK.getCurrentThreadCpuTime();
    }

    static void round(boolean isWall) throws InterruptedException {
        long began = now(isWall);
        burn();
        long between = now(isWall);
        idle();
        burned += between - began;
        slept += now(isWall) - between;
    }

    public static void main(String[] args) throws InterruptedException {
        int rounds = Integer.parseInt(args[0]);
        boolean isWall = args.length == 2;
        for (int i = 0; i < rounds; i++) round(isWall);
        System.out.println(burned + " " + slept);
    }
}
