package flatcounter;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** An array per thread, so no call is lost. The arrays of threads that have ended are added up when a thread begins. */
public final class ExactCounts {
    private static final int ROOM = 4096;

    /** Written by its thread alone. */
    private static final class Counts {
        final Thread thread = Thread.currentThread();
        long[] calls = new long[ROOM];

        void enter(int method) {
            if (method >= calls.length) calls = Arrays.copyOf(calls, Math.max(2 * calls.length, method + 1));
            calls[method]++;
        }
    }

    private static final ThreadLocal<Counts> ofThread = ThreadLocal.withInitial(ExactCounts::begin);
    private static final List<Counts> living = new ArrayList<>();  // under its own lock, as `ended`
    private static long[] ended = new long[0];

    public static void enter(int method) { ofThread.get().enter(method); }

    private static Counts begin() {
        Counts counts = new Counts();
        synchronized (living) {
            // isAlive() orders all that a thread that has ended wrote before this.
            living.removeIf(one -> {
                if (one.thread.isAlive()) return false;
                ended = added(ended, one.calls);
                return true;
            });
            living.add(counts);
        }
        return counts;
    }

    /** Of threads that still run, what can be seen now. */
    static long[] sum() {
        synchronized (living) {
            long[] all = ended;
            for (Counts counts : living) all = added(all, counts.calls);
            return all;
        }
    }

    private static long[] added(long[] to, long[] more) {
        long[] result = Arrays.copyOf(to, Math.max(to.length, more.length));
        for (int i = 0; i < more.length; i++) result[i] += more[i];
        return result;
    }
}
