import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Random;

/**
 * Callees that compilers put into their callers: short loops, code without a loop, a search in the JDK's code, work around calls of a getter, and
 * two callees of one call. Prints each callee's name with the ns of its calls by the thread's clock, in parts of random length.
 */
public class Inlined {
    interface Step {
        long step(long value);
    }

    static final class Few implements Step {
        public long step(long value) {
            return few(value);
        }

        static long few(long value) {
            for (int i = 0; i < 24; i++) value = (value ^ value >>> 7) * 31;
            return value;
        }
    }

    static final class Straight implements Step {
        public long step(long value) {
            return straight(value);
        }

        static long straight(long value) {
            value = (value ^ value >>> 7) * 31;
            value = (value ^ value >>> 9) * 33;
            value = (value ^ value >>> 11) * 37;
            value = (value ^ value >>> 13) * 39;
            value = (value ^ value >>> 15) * 41;
            value = (value ^ value >>> 17) * 43;
            value = (value ^ value >>> 19) * 45;
            value = (value ^ value >>> 21) * 47;
            value = (value ^ value >>> 23) * 49;
            value = (value ^ value >>> 25) * 51;
            value = (value ^ value >>> 27) * 53;
            value = (value ^ value >>> 29) * 55;
            value = (value ^ value >>> 31) * 57;
            value = (value ^ value >>> 8) * 59;
            value = (value ^ value >>> 10) * 61;
            value = (value ^ value >>> 12) * 63;
            value = (value ^ value >>> 14) * 65;
            value = (value ^ value >>> 16) * 67;
            value = (value ^ value >>> 18) * 69;
            value = (value ^ value >>> 20) * 71;
            value = (value ^ value >>> 22) * 73;
            return (value ^ value >>> 24) * 75;
        }
    }

    static final String TEXT = "x".repeat(1000) + "y";
    static final String[] NAMES = {"turns", "search", "around", "few", "straight"};
    static final Step[] STEPS = {new Few(), new Straight()};
    static long sink;
    static int got;

    static int get() {
        return got;
    }

    static long turns(long value) {
        for (int i = 0; i < 40; i++) value = (value ^ value >>> 7) * 31;
        return value;
    }

    static long search(long value) {
        return TEXT.indexOf('y') + value;
    }

    static long around(long value) {
        for (int i = 0; i < 20; i++) value = (value ^ value >>> 7) * 31;
        value += get();
        for (int i = 0; i < 20; i++) value = (value ^ value >>> 7) * 33;
        value ^= get();
        for (int i = 0; i < 20; i++) value = (value ^ value >>> 7) * 35;
        return value;
    }

    static void callTurns(int calls) {
        for (int i = 0; i < calls; i++) sink += turns(i);
    }

    static void callSearch(int calls) {
        for (int i = 0; i < calls; i++) sink += search(i);
    }

    static void callAround(int calls) {
        for (int i = 0; i < calls; i++) sink += around(i);
    }

    static void callStep(Step step, int calls) {
        for (int i = 0; i < calls; i++) sink += step.step(i);
    }

    static void call(int callee, int calls) {
        switch (callee) {
            case 0 -> callTurns(calls);
            case 1 -> callSearch(calls);
            case 2 -> callAround(calls);
            default -> callStep(STEPS[callee - 3], calls);
        }
    }

    public static void main(String[] args) {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        long[] used = new long[NAMES.length];
        Random random = new Random(1);
        long end = Long.parseLong(args[0]) * 1_000_000;
        long before = threads.getCurrentThreadCpuTime();
        for (long start = before; before - start < end;) {
            int callee = random.nextInt(used.length);
            call(callee, 500 + random.nextInt(3000));
            long now = threads.getCurrentThreadCpuTime();
            used[callee] += now - before;
            before = now;
        }
        for (int i = 0; i < used.length; i++) System.out.println(NAMES[i] + " " + used[i]);
    }
}
