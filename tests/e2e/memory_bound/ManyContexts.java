import java.util.concurrent.CountDownLatch;

/** Programs with more contexts than a small bound has room for. What is counted is known beforehand. */
public class ManyContexts {
    static long sum;

    /** 3^0 + ... + 3^depth calls, each in a context of its own; the methods differ in their call sites. */
    static long a(int depth) { return depth == 0 ? 1 : a(depth - 1) + b(depth - 1) + c(depth - 1); }
    static long b(int depth) { return depth == 0 ? 1 : c(depth - 1) + a(depth - 1) + b(depth - 1); }
    static long c(int depth) { return depth == 0 ? 1 : b(depth - 1) + c(depth - 1) + a(depth - 1); }

    static long hot(int n) { return n * 31L; }
    static long loop(int turns) {
        long total = 0;
        for (int i = 0; i < turns; i++) total += hot(i);
        return total;
    }

    static int down(int depth, boolean fails) {
        if (depth == 0) {
            if (fails) throw new IllegalStateException("bottom");
            return 0;
        }
        return 1 + down(depth - 1, fails);
    }
    static int caught(int depth) {
        try {
            return down(depth, true);
        } catch (IllegalStateException bottom) {
            return depth;
        }
    }

    static void tree(int depth) { sum += a(depth) + loop(100_000); }

    /** Deep, out of it by an exception, and deep again beside a tree of contexts. */
    static void deep(int depth) throws InterruptedException {
        Thread thread = new Thread(null, () -> sum += down(depth, false) + caught(depth) + a(9) + down(depth, false), "deep", 1L << 30);
        thread.start();
        thread.join();
    }

    /** Threads that come and go, in turns of 50. */
    static void brief(int threads) throws InterruptedException {
        for (int done = 0; done < threads; done += 50) {
            Thread[] some = new Thread[50];
            for (int i = 0; i < some.length; i++) {
                some[i] = new Thread(() -> a(4));
                some[i].start();
            }
            for (Thread thread : some) thread.join();
        }
        sum += threads;
    }

    /** Threads that live at the same time, each with a tree; they call again when all have one. */
    static void live(int threads) throws InterruptedException {
        CountDownLatch ready = new CountDownLatch(threads);
        CountDownLatch go = new CountDownLatch(1);
        Thread[] all = new Thread[threads];
        for (int i = 0; i < threads; i++) {
            all[i] = new Thread(() -> {
                a(5);
                ready.countDown();
                try {
                    go.await();
                } catch (InterruptedException never) {
                    throw new AssertionError(never);
                }
                b(5);
            });
            all[i].start();
        }
        ready.await();
        go.countDown();
        for (Thread thread : all) thread.join();
        sum += threads;
    }

    public static void main(String[] arguments) throws Exception {
        int size = Integer.parseInt(arguments[1]);
        switch (arguments[0]) {
            case "tree" -> tree(size);
            case "deep" -> deep(size);
            case "brief" -> brief(size);
            case "live" -> live(size);
            default -> throw new IllegalArgumentException(arguments[0]);
        }
        System.out.println(arguments[0] + " " + sum);
        String status = "";
        if (java.nio.file.Files.exists(java.nio.file.Path.of("/proc/self/status"))) {
            for (String line : java.nio.file.Files.readAllLines(java.nio.file.Path.of("/proc/self/status"))) {
                if (line.startsWith("VmRSS:") || line.startsWith("VmHWM:")) status += line.replaceAll("\\s+", " ") + "; ";
            }
        }
        System.err.println("resident " + status);
    }
}
