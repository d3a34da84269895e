/**
 * Runs with probes in it: monitors are released and the program ends although probes find no stack
 * left at the start of handlers, and HotSpot still compiles a method that holds a monitor (run it with
 * -XX:+PrintCompilation; it must not print COMPILE SKIPPED for this class).
 */
public class Behaviour {
    private static final int ROUNDS = 60;
    private static final int HOT_CALLS = 500_000;
    private final Object lock = new Object();
    private int count;
    private int finished;

    private void recurseHoldingLock() {
        synchronized (lock) {
            recurseHoldingLock();
        }
    }

    private void recurseWithFinally() {
        try {
            recurseWithFinally();
        } finally {
            finished++;
        }
    }

    private int hot(int k) {
        synchronized (lock) {
            count += Integer.parseInt("1") + (k & 1);
            return count;
        }
    }

    private void overflow(boolean locking) {
        try {
            if (locking) recurseHoldingLock();
            else recurseWithFinally();
        } catch (StackOverflowError expected) {
            if (Thread.holdsLock(lock)) throw new IllegalStateException("a monitor was not released");
            return;
        }
        throw new IllegalStateException("no overflow");
    }

    public static void main(String[] args) throws InterruptedException {
        Behaviour behaviour = new Behaviour();
        Thread.UncaughtExceptionHandler fail = (t, e) -> {
            e.printStackTrace();
            System.exit(1);
        };
        for (int round = 0; round < ROUNDS; round++) {
            boolean locking = round % 2 == 0;
            Thread thread = new Thread(null, () -> behaviour.overflow(locking), "deep", 180_000 + round * 97);
            thread.setUncaughtExceptionHandler(fail);
            thread.start();
            thread.join();
        }
        for (int i = 0; i < HOT_CALLS; i++) behaviour.hot(i);
        if (behaviour.count != HOT_CALLS + HOT_CALLS / 2) throw new IllegalStateException("count " + behaviour.count);
        System.out.println("behaves as without probes");
    }
}
