/** Takes monitors in every way that javac has. Prints what it computes. */
public class Sections {
    static final Object A = new Object();
    static final Object B = new Object();
    int count;

    Sections() {
        synchronized (this) { ++count; }
    }

    synchronized int both(int n) {
        synchronized (B) { return n + count; }
    }

    static synchronized void ofTheClass() {}

    static int loop(int n) {
        int sum = 0;
        for (int i = 0; i < n; ++i) {
            synchronized (A) {
                if (i == 1) continue;
                if (i == 3) break;
                sum += i;
            }
        }
        return sum;
    }

    static void spin() {
        synchronized (A) {
            int i = 0;
            while (true) {
                if (++i > 3) return;
            }
        }
    }

    static void nested() {
        synchronized (A) {
            synchronized (B) { throw new IllegalStateException("nested"); }
        }
    }

    static synchronized void throwing() { throw new IllegalStateException("throwing"); }

    static int inHandlers() {
        try {
            nested();
            return 0;
        } catch (IllegalStateException e) {
            synchronized (e) { return 1; }
        } finally {
            synchronized (B) { spin(); }
        }
    }

    static int around() {
        synchronized (A) {
            try {
                return Integer.parseInt("x");
            } catch (NumberFormatException e) {
                return -1;
            } finally {
                ofTheClass();
            }
        }
    }

    static void again(int n) {
        synchronized (A) {
            if (n > 0) again(n - 1);
        }
    }

    static int depth;

    static void down() {
        synchronized (A) {
            ++depth;
            down();
        }
    }

    static void overflow() {
        try {
            down();
        } catch (StackOverflowError e) {
            System.out.println("overflow " + (depth > 100));
        }
    }

    public static void main(String[] args) throws Exception {
        Sections sections = new Sections();
        System.out.println(sections.both(3) + " " + loop(6) + " " + inHandlers() + " " + around());
        spin();
        again(2);
        try {
            throwing();
        } catch (IllegalStateException e) {
            System.out.println(e.getMessage());
        }
        Thread[] threads = new Thread[4];
        for (int t = 0; t < threads.length; ++t) {
            threads[t] = new Thread(() -> { for (int i = 0; i < 500; ++i) sections.both(i); }, "worker " + t);
            threads[t].start();
        }
        for (Thread thread : threads) thread.join();
        if (args.length > 0) {
            Thread deep = new Thread(null, Sections::overflow, "deep", 1 << 18);
            deep.start();
            deep.join();
            Thread last = new Thread(() -> { synchronized (A) { System.out.println("given back"); } });
            last.start();
            last.join(60_000);
        }
    }
}
