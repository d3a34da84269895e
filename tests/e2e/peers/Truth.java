/** Calls in all ways that need not be guessed; run.py knows how many. */
public class Truth {
    interface Shape {
        default int area() { return 1; }
    }

    static final class Square implements Shape {
        static final int side = side();

        static int side() { return 1; }
    }

    static final class Empty {
        @Override
        protected void finalize() {}
    }

    static final class Kept {
        int finalized;

        @Override
        protected void finalize() { finalized++; }
    }

    static final Kept kept = new Kept();

    static void inMain() {}

    static void inThread() {}

    static int down(int n) { return n == 0 ? 0 : 1 + down(n - 1); }

    static void thrower() { throw new IllegalStateException(); }

    static void threads(int count, int calls) throws InterruptedException {
        Thread[] threads = new Thread[count];
        for (int i = 0; i < count; i++) {
            threads[i] = new Thread(() -> {
                for (int k = 0; k < calls; k++) inThread();
            });
            threads[i].start();
        }
        for (Thread thread : threads) thread.join();
    }

    public static void main(String[] args) throws Exception {
        for (int i = 0; i < 100_000; i++) inMain();
        for (int i = 0; i < 10; i++) down(99);
        for (int i = 0; i < 500; i++) {
            try {
                thrower();
            } catch (IllegalStateException expected) {
                new Square().area();
            }
        }
        // The first three have ended, and are added up, when the others begin.
        threads(3, 100_000);
        threads(4, 100_000);
        kept.finalize();
        new Empty().finalize();
        Many.callAll();
        Large.grown();
        System.out.println("the program finds the agent's ASM: " + finds("org.objectweb.asm.ClassReader"));
    }

    static boolean finds(String name) {
        try {
            Class.forName(name);
            return true;
        } catch (ClassNotFoundException e) {
            return false;
        }
    }
}
