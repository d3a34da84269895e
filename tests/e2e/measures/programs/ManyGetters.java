import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Random;

/**
 * Calls a getter some hundred million times, which is next to nothing, and works, by turns of random lengths: a sampler is never in step.
 * Prints the processor time of each, by the JVM's clock.
 */
public class ManyGetters {
    static final ThreadMXBean CLOCK = ManagementFactory.getThreadMXBean();
    private int value = 3;
    static long got, worked, sink;

    int get() {
        return value;
    }

    int getters(int n) {
        int sum = 0;
        for (int i = 0; i < n; i++) sum += get() ^ i;
        return sum;
    }

    static double work(int n) {
        double sum = 0;
        for (int i = 1; i < n; i++) sum += Math.sqrt(i) / i;
        return sum;
    }

    static void round(ManyGetters some, int calls) {
        long began = CLOCK.getCurrentThreadCpuTime();
        sink += some.getters(calls);
        long between = CLOCK.getCurrentThreadCpuTime();
        sink += (long) work(calls / 6);
        got += between - began;
        worked += CLOCK.getCurrentThreadCpuTime() - between;
    }

    public static void main(String[] args) {
        ManyGetters some = new ManyGetters();
        int rounds = Integer.parseInt(args[0]);
        if (args.length > 1) System.out.println(args[1]);
        // Compiled as it will run, first.
        for (int i = 0; i < 2000; i++) round(some, 1000);
        // An even number of rounds has 2,000,000 calls a round.
        Random random = new Random(1);
        for (int i = 0, calls = 0; i < rounds; i++) {
            calls = i % 2 == 0 ? random.nextInt(4_000_000) : 4_000_000 - calls;
            round(some, calls);
        }
        System.out.println(got + " " + worked);
    }
}
