// Threads whose stack sizes, in the field that the context word is in, look like addresses of slots.
public class LargeStacks {
    static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
    static int leaf(int n) { return n + 1; }

    public static void main(String[] args) throws InterruptedException {
        int[] sum = new int[1];
        for (long bytes : new long[] {(1L << 31) - 4096, 1L << 31, (1L << 32) + (1 << 20), 9L << 30}) {
            Thread thread = new Thread(null, () -> sum[0] += fib(9) + leaf(2), "stack " + bytes, bytes);
            thread.start();
            thread.join();
        }
        System.out.println("large stacks " + sum[0]);
    }
}
