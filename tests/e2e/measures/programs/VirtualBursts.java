/** Virtual threads, started by reflection for older compilers, that work and sleep by turns. */
public class VirtualBursts {
    static volatile long sink;

    static void burn() {
        long sum = 0;
        for (int i = 0; i < 2_000_000; i++) sum += i * sum + 7;
        sink = sum;
    }

    static void nap() {
        try {
            Thread.sleep(3);
        } catch (InterruptedException ended) {
            throw new IllegalStateException(ended);
        }
    }

    static void task() {
        for (int i = 0; i < 5; i++) {
            burn();
            nap();
        }
    }

    public static void main(String[] args) throws Exception {
        Thread[] threads = new Thread[200];
        for (int i = 0; i < threads.length; i++) {
            threads[i] = (Thread) Thread.class.getMethod("startVirtualThread", Runnable.class)
                .invoke(null, (Runnable) VirtualBursts::task);
        }
        for (Thread thread : threads) thread.join();
    }
}
