import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.lang.reflect.Method;

/** Calls natives when it is told to, on standard input, and says so. The library is its argument. */
public class Rounds {
    /** Bound by its name. */
    static native int named(int n);
    /** Bound by the library when it is loaded. */
    static native int registered(int n);
    /** Not called, and so not bound, before "late". */
    static native int late(int n);
    /** Calls h() so many times. */
    static native int f(int times);
    static native void fail(int n);
    /** Waits for {@link #release}. */
    static native int hold();
    static volatile boolean held, released;
    static int h(int n) { return n; }
    static boolean isReleased() {
        held = true;
        return released;
    }
    static final class Holding extends Thread {
        Holding(Runnable task) { super(task); }
    }
    static final class Task implements Runnable {
        @Override public void run() { hold(); }
    }
    static void hopping(int count) {
        for (int i = 0; i < 3; i++) {
            steps(count);
            Thread.yield();
        }
    }

    static int steps(int count) {
        int sum = 0;
        for (int i = 0; i < count; i++) {
            sum += named(i) + registered(i) + f(i % 3);
            try {
                if (i % 4 == 0) fail(i);
            } catch (IllegalStateException expected) {
                sum += h(i);
            }
        }
        return sum;
    }
    static int reflective(int count) throws Exception {
        Method named = Rounds.class.getDeclaredMethod("named", int.class);
        int sum = 0;
        for (int i = 0; i < count; i++) sum += (int) named.invoke(null, i);
        return sum;
    }

    public static void main(String[] args) throws Exception {
        System.load(args[0]);
        System.out.println("ready");
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        Thread holding = null;
        for (String line; (line = in.readLine()) != null;) {
            String[] words = line.split(" ");
            int n = words.length > 1 ? Integer.parseInt(words[1]) : 0;
            switch (words[0]) {
                case "steps" -> System.out.println("steps " + steps(n));
                case "reflective" -> System.out.println("reflective " + reflective(n));
                case "late" -> System.out.println("late " + late(n));
                case "thread" -> {
                    Thread thread = new Thread(() -> steps(n));
                    thread.start();
                    thread.join();
                    System.out.println("joined");
                }
                case "virtual" -> {
                    Method start = Thread.class.getMethod("startVirtualThread", Runnable.class);
                    Thread[] threads = new Thread[n];
                    for (int i = 0; i < n; i++) threads[i] = (Thread) start.invoke(null, (Runnable) () -> hopping(7));
                    for (Thread thread : threads) thread.join();
                    System.out.println("joined");
                }
                case "hold" -> {
                    holding = new Holding(new Task());
                    holding.start();
                    while (!held) Thread.onSpinWait();
                    System.out.println("held");
                }
                case "release" -> {
                    released = true;
                    holding.join();
                    holding = null;
                    System.out.println("released");
                }
                default -> { System.out.println("bye"); return; }
            }
        }
    }
}
