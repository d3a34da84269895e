/** Methods that call nothing, one with a loop and one without. Prints a number that depends on all calls. */
public class Leaves {
    static long step(long x) {
        return (x * 31 + (x >>> 7)) ^ 0x5555;
    }

    static long loop(int n) {
        long sum = 1;
        for (int i = 0; i < n; i++) sum = (sum * 31 + (sum >>> 7)) ^ i;
        return sum;
    }

    static long steps(int n) {
        long x = 1;
        for (int i = 0; i < n; i++) x = step(x);
        return x;
    }

    static long work(int n) {
        return loop(n) + steps(n);
    }

    public static void main(String[] args) throws InterruptedException {
        long[] sums = new long[2];
        Thread[] threads = new Thread[sums.length];
        for (int t = 0; t < threads.length; t++) {
            int at = t;
            threads[t] = new Thread(() -> {
                for (int i = 0; i < 3; i++) sums[at] += work(10_000_000);
            });
            threads[t].start();
        }
        for (Thread thread : threads) thread.join();
        System.out.println(sums[0] + sums[1]);
    }
}
