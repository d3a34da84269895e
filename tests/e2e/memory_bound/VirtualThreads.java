import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** Virtual threads that yield in the middle of deep calls, with trees that do not fit. */
public class VirtualThreads {
    static long a(int depth) { return depth == 0 ? 1 : a(depth - 1) + b(depth - 1); }
    static long b(int depth) { return depth == 0 ? 1 : b(depth - 1) + a(depth - 1); }
    static long down(int depth, int turn) {
        if (depth == 0) {
            LockSupport.parkNanos(100_000);
            Thread.yield();
            return a(6);
        }
        if (depth % 10 == turn % 10) Thread.yield();
        long below = down(depth - 1, turn);
        return below + (depth % 16 == 0 ? b(4) : 0);
    }
    static void life(int turn, long[] sums) {
        for (int i = 0; i < 3; i++) sums[turn] += down(50 + turn % 30, turn + i);
    }
    public static void main(String[] arguments) throws Exception {
        int threads = Integer.parseInt(arguments[0]);
        long[] sums = new long[threads];
        List<Thread> all = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            int turn = i;
            all.add(Thread.ofVirtual().start(() -> life(turn, sums)));
        }
        for (Thread thread : all) thread.join();
        long sum = 0;
        for (long one : sums) sum += one;
        System.out.println("virtual " + sum);
    }
}
