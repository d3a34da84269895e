import jdk.internal.vm.Continuation;
import jdk.internal.vm.ContinuationScope;

/** Suspends frames of one thread and goes on with others, as only the JDK itself is meant to. */
public class Continuations {
    static final ContinuationScope SCOPE = new ContinuationScope("own");
    static long a(int depth) { return depth == 0 ? 1 : a(depth - 1) + b(depth - 1); }
    static long b(int depth) { return depth == 0 ? 1 : b(depth - 1) + a(depth - 1); }
    static long sum;

    static void down(int depth, int turn) {
        if (depth == 0) return;
        if (depth % 7 == turn % 7) Continuation.yield(SCOPE);
        down(depth - 1, turn + 1);
        sum += turn % 2 == 0 ? a(8) : b(8);
    }
    public static void main(String[] arguments) {
        int many = Integer.parseInt(arguments[0]);
        Continuation[] all = new Continuation[many];
        for (int i = 0; i < many; i++) {
            int turn = i;
            all[i] = new Continuation(SCOPE, () -> down(40 + turn % 30, turn));
        }
        for (int left = many; left > 0;) {
            left = 0;
            for (Continuation one : all) {
                if (one.isDone()) continue;
                one.run();
                left++;
            }
            sum += a(9);
        }
        System.out.println("continuations " + sum);
    }
}
