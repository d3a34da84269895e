// Daemon threads that are still alive, deep in their calls, when main returns.
import java.util.concurrent.CountDownLatch;

public class DaemonsAtExit {
    static final CountDownLatch ready = new CountDownLatch(4);
    static final CountDownLatch never = new CountDownLatch(1);
    static int step(int n) { return n + 1; }
    static int descend(int n) throws InterruptedException {
        step(n);
        if (n > 0) return descend(n - 1) + 1;
        ready.countDown();
        never.await();
        return step(0);
    }

    public static void main(String[] args) throws InterruptedException {
        for (int i = 0; i < 4; i++) {
            int depth = 10 * i;
            Thread daemon = new Thread(() -> {
                try { descend(depth); } catch (InterruptedException e) { step(1); }
            });
            daemon.setDaemon(true);
            daemon.start();
        }
        ready.await();
        System.out.println("daemons " + step(41));
    }
}
