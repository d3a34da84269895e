import copse.Context;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import java.util.Vector;

/**
 * Where packets and ids could come apart: threads, exceptions through code without probes, recursion until
 * the stack ends, callbacks of the JDK's, classes of a loader that is itself recorded, class initialisers.
 * Prints the same in every run.
 */
public class Awkward {
    /** Small, for each id of a deep recursion is compared, and Copse gives threads a multiple of it. */
    static final long STACK = 128 << 10;

    /** A class loader of the program's: what it does runs where the JVM asks for a class. */
    static final class Loader extends ClassLoader {
        int asked;

        Loader() { super(Awkward.class.getClassLoader()); }

        @Override protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            asked += note(name);
            if (!name.startsWith("Awkward$Guest")) return super.loadClass(name, resolve);
            synchronized (getClassLoadingLock(name)) {
                Class<?> known = findLoadedClass(name);
                if (known != null) return known;
                try (InputStream in = getResourceAsStream(name + ".class")) {
                    byte[] bytes = in.readAllBytes();
                    return defineClass(name, bytes, 0, bytes.length);
                } catch (IOException e) {
                    throw new ClassNotFoundException(name, e);
                }
            }
        }

        static int note(String name) { return name.isEmpty() ? 0 : 1; }
    }

    public static class Guest implements Runnable {
        static int made = start();

        static int start() { return new GuestsFriend().help(); }

        @Override public void run() { made += new GuestsFriend().help(); }
    }

    public static class GuestsFriend {
        int help() { return Math.max(1, twice(0)); }
        static int twice(int n) { return 2 * n; }
    }

    static int deepest;

    static int dig(int n) {
        deepest = n;
        return n % 2 == 0 ? dig(n + 1) + 1 : digOdd(n + 1) + 1;
    }

    static int digOdd(int n) { return dig(n + 1); }

    static int overflow() {
        try {
            return dig(0);
        } catch (StackOverflowError e) {
            return after(1);
        }
    }

    static int after(int n) { return n + (Context.id() == -1 ? 1 : 0); }

    static int thrown(int n) {
        try {
            return Arrays.asList(n, n + 1).stream().mapToInt(Awkward::fail).sum();
        } catch (IllegalArgumentException e) {
            return after(n);
        } finally {
            after(-n);
        }
    }

    static int fail(int n) {
        if (n % 3 == 0) throw new IllegalArgumentException();
        return recur(n % 7, n);
    }

    static int recur(int n, int way) {
        if (n == 0) return after(way);
        return way % 2 == 0 ? recur(n - 1, way / 2) : other(n - 1, way / 2);
    }

    static int other(int n, int way) { return recur(n, way) + recur(n, way + 1); }

    /** The JVM has it registered by Java code when Object's constructor returns: below this one. */
    static class Guard {
        final int n;
        Guard(int n) { this.n = n; }
        @SuppressWarnings({"deprecation", "removal"})
        @Override protected void finalize() { ended++; }
    }
    static int ended;

    static int sorted(int n) {
        n = new Guard(n).n;
        TreeMap<Integer, Integer> map = new TreeMap<>((a, b) -> compare(b, a));
        for (int i = 0; i < n; i++) map.merge(i % 5, 1, Awkward::add);
        return map.size();
    }

    static int compare(int a, int b) { return after(a) < after(b) ? -1 : a == b ? 0 : 1; }
    static int add(int a, int b) { return after(a + b); }

    /** The JVM itself makes the exception, while a method of the JDK's is in a counted callee: System.arraycopy. */
    static int copied(int n) {
        try {
            new Vector<>(Arrays.asList(n, n)).copyInto(new Object[1]);
            return 0;
        } catch (IndexOutOfBoundsException e) {
            return after(n);
        }
    }

    static int load() throws Exception {
        Loader loader = new Loader();
        Runnable guest = (Runnable) loader.loadClass("Awkward$Guest").getDeclaredConstructor().newInstance();
        guest.run();
        return loader.asked > 0 ? 1 : 0;
    }

    static long work(int from) throws Exception {
        long sum = overflow() + load();
        for (int i = from; i < from + 300; i++) sum += thrown(i) + sorted(10) + copied(i);
        return sum + overflow();
    }

    public static void main(String[] args) throws Exception {
        boolean isVirtual = args.length > 0 && args[0].equals("virtual");
        long[] sums = new long[isVirtual ? 12 : 4];
        List<Thread> threads = new ArrayList<>();
        for (int t = 0; t < sums.length; t++) {
            int index = t;
            Runnable work = () -> {
                try {
                    sums[index] = work(index);
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                }
            };
            Thread thread = isVirtual
                ? (Thread) Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, work)
                : new Thread(null, work, "worker-" + t, STACK);
            if (!isVirtual) thread.start();
            threads.add(thread);
        }
        for (Thread thread : threads) thread.join();
        System.out.println(Arrays.toString(sums));
    }
}
