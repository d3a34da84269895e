import java.util.concurrent.atomic.AtomicLong;

/**
 * Waits for monitors before methods and in blocks, by turns, at one call site that is compiled, and in a method itself.
 * Prints how long each waited by its own clock.
 */
public class Entries {
    static volatile boolean isOpen = true; // until its code is compiled

    abstract static class Door {
        final AtomicLong waited = new AtomicLong();

        abstract void enter(long before) throws InterruptedException;

        void hold(long before) throws InterruptedException {
            if (isOpen) return;
            waited.addAndGet(System.nanoTime() - before);
            Thread.sleep(10);
        }
    }

    static final class Left extends Door {
        @Override
        synchronized void enter(long before) throws InterruptedException {
            hold(before);
        }
    }

    static final class Right extends Door {
        @Override
        synchronized void enter(long before) throws InterruptedException {
            hold(before);
        }
    }

    static final class Inside extends Door {
        @Override
        void enter(long before) throws InterruptedException {
            synchronized (this) {
                hold(before);
            }
        }
    }

    static final Door[] doors = {new Left(), new Right(), new Inside()};
    static final AtomicLong here = new AtomicLong();

    static void pass(Door door) throws InterruptedException {
        door.enter(System.nanoTime());
    }

    // Behind the call there is a wait in this method itself.
    static void turns() {
        try {
            for (int i = 0; i < 15; i++) {
                for (Door door : doors) pass(door);
                long before = System.nanoTime();
                synchronized (doors) {
                    here.addAndGet(System.nanoTime() - before);
                    Thread.sleep(10);
                }
            }
        } catch (InterruptedException ended) {
            throw new IllegalStateException(ended);
        }
    }

    public static void main(String[] args) throws InterruptedException {
        for (int i = 0; i < 50_000; i++) {
            for (Door door : doors) pass(door);
        }
        isOpen = false;
        Thread[] threads = new Thread[3];
        for (int t = 0; t < threads.length; t++) {
            threads[t] = new Thread(Entries::turns);
            threads[t].start();
        }
        for (Thread thread : threads) thread.join();
        for (Door door : doors) System.out.println(door.waited);
        System.out.println(here);
    }
}
