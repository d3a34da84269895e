// StackOverflowError in recursions that go through native code, caught in Java and in native code: how deep
// they are differs from run to run, all else must be exact.
// e2e: natives
// e2e: ignore NativeOverflow.dive
// e2e: ignore NativeOverflow.through
// e2e: ignore NativeOverflow.leaf
// e2e: ignore NativeOverflow.plain
// e2e: unrepeatable
public class NativeOverflow {
    static int depth;
    /** Calls {@link #dive}, and leaves pending what it throws. */
    static native void through();
    static native int leaf(int n);
    /** Calls {@link #dive}, clears what it throws, and calls {@link #after}. */
    static native int cleared(int n);

    static void dive() {
        depth++;
        through();
    }
    static void plain() {
        leaf(depth++);
        plain();
    }
    static int after(int n) { return leafless(n) + 1; }
    static int leafless(int n) { return n < 2 ? n : leafless(n - 1) + leafless(n - 2); }
    static int once(boolean isNative) {
        depth = 0;
        try {
            if (isNative) dive(); else plain();
            return 0;
        } catch (StackOverflowError expected) {
            return after(5);
        }
    }
    static int all() {
        int sum = 0;
        for (int i = 0; i < 2; i++) sum += once(true) + once(false) + cleared(i) + after(i);
        return depth < 100 ? -1 : sum;
    }

    public static void main(String[] args) throws Exception {
        System.load(args[0]);
        int[] sum = new int[1];
        // Small, because the reference agent walks the whole stack at each call.
        Thread thread = new Thread(null, () -> sum[0] = all(), "small", 180_000);
        thread.start();
        thread.join();
        System.out.println("overflow " + sum[0]);
    }
}
