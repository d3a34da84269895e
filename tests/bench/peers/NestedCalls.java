/**
 * MooBench's loop: calls of a method that calls itself until it is ten calls deep. The innermost call spins until a
 * time has passed, or returns at once when the time is 0.
 *
 * ITERATIONS CALLS METHOD_TIME_NS: an iteration is CALLS outer calls, timed together, because a clock that is read
 * around each call would take longer than ten calls. Prints "nested iteration K: MS ms".
 */
public final class NestedCalls {
    static final int DEPTH = 10;

    static long monitoredMethod(long methodTimeNs, int depth) {
        if (depth > 1) return monitoredMethod(methodTimeNs, depth - 1);
        if (methodTimeNs == 0) return depth;
        long end = System.nanoTime() + methodTimeNs;
        long now;
        do {
            now = System.nanoTime();
        } while (now < end);
        return now;
    }

    static long callAll(int calls, long methodTimeNs) {
        long sum = 0;
        for (int i = 0; i < calls; i++) sum += monitoredMethod(methodTimeNs, DEPTH);
        return sum;
    }

    public static void main(String[] args) {
        int iterations = Integer.parseInt(args[0]);
        int calls = Integer.parseInt(args[1]);
        long methodTimeNs = Long.parseLong(args[2]);
        long sum = 0;
        for (int k = 1; k <= iterations; k++) {
            long start = System.nanoTime();
            sum += callAll(calls, methodTimeNs);
            long ns = System.nanoTime() - start;
            System.out.printf(java.util.Locale.ROOT, "nested iteration %d: %.3f ms%n", k, ns / 1e6);
        }
        System.out.println("nested result: " + sum);
    }
}
