// StackOverflowError, caught: how deep the stack is differs from run to run, all else must be exact.
// e2e: ignore Overflow.dive
// e2e: ignore Overflow.touch
// e2e: unrepeatable
public class Overflow {
    static int depth;
    static void touch() { depth++; }
    static void dive() { touch(); dive(); }
    static int safe(int n) { return n < 2 ? n : safe(n - 1) + safe(n - 2); }
    static int once() {
        try {
            dive();
            return 0;
        } catch (StackOverflowError e) {
            return 1;
        }
    }
    static int levels(int n) { return n == 0 ? once() + safe(3) : levels(n - 1) + safe(2); }

    public static void main(String[] args) throws InterruptedException {
        int[] sum = new int[1];
        Thread thread = new Thread(null, () -> {
            for (int i = 0; i < 7; i++) sum[0] += levels(i % 7) + safe(6);
        }, "small stack", 24 * 1024);
        thread.start();
        thread.join();
        System.out.println("overflow " + sum[0] + " " + (depth > 0));
    }
}
