/** Four threads that allocate, so that the collector moves their Thread objects, and work between, so often as its argument says. */
public class Garbage {
    static volatile Object kept;

    static void make(int n) {
        Object[] all = new Object[n];
        for (int i = 0; i < n; i++) all[i] = new long[4];
        kept = all;
    }

    static long burn(int n) {
        long sum = 0;
        for (int i = 0; i < n; i++) sum += i * sum + 7;
        return sum;
    }

    static long serve(int rounds) {
        long sum = 0;
        for (int i = 0; i < rounds; i++) {
            make(20_000);
            sum += burn(2_000_000);
        }
        return sum;
    }

    public static void main(String[] args) throws InterruptedException {
        int rounds = Integer.parseInt(args[0]);
        Thread[] threads = new Thread[4];
        for (int t = 0; t < threads.length; t++) {
            threads[t] = new Thread(() -> System.out.println(serve(rounds)));
            threads[t].start();
        }
        for (Thread thread : threads) thread.join();
    }
}
