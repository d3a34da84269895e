import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.lang.reflect.Method;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.SynchronousQueue;

/** Does what live_test.py knows by heart, and says on standard output that it went well. */
public class Facts {
    // Recursion, and values of all types.

    static int factorial(int n) {
        return n == 0 ? 1 : n * factorial(n - 1);
    }

    static boolean yes(boolean value) { return value; }
    static byte byteOf(byte value) { return value; }
    static char charOf(char value) { return value; }
    static short shortOf(short value) { return value; }
    static long longOf(long value) { return value; }
    static float floatOf(float value) { return value; }
    static double doubleOf(double value) { return value; }
    static String text(String value) { return value; }
    static Object nothing(int[] numbers, Object value) { return value; }
    long wide(long first, double second, int third, Object fourth) { return first + third; }

    // Exceptions, through frames, a finally block and a monitor.

    static synchronized void failing(int depth) {
        if (depth == 0) throw new IllegalStateException("as planned");
        try {
            failing(depth - 1);
        } finally {
            depth = -1;
        }
    }

    static int caught(int n) {
        try {
            failing(n);
            return 0;
        } catch (IllegalStateException expected) {
            return n;
        }
    }

    // Constructors that throw: in an argument, in the superclass, in themselves.

    static class Base {
        final int value;

        Base(int value) {
            if (value < 0) throw new IllegalArgumentException("negative");
            this.value = value;
        }
    }

    static class Derived extends Base {
        Derived(int value) {
            super(checked(value));
            if (value == 7) throw new UnsupportedOperationException("seven");
        }

        static int checked(int value) {
            if (value == 100) throw new ArithmeticException("a hundred");
            return value;
        }
    }

    static class Chosen extends Base {
        Chosen(boolean large) {
            super(large ? new Derived(50).value : Derived.checked(2));
        }

        Chosen() {
            this(false);
        }
    }

    static int constructed(int value) {
        try {
            return new Derived(value).value;
        } catch (RuntimeException expected) {
            return -1;
        }
    }

    // Two threads, one after the other.

    static void ping(int n) {}
    static void pong(int n) {}

    static void playInTurn() throws Exception {
        SynchronousQueue<Integer> there = new SynchronousQueue<>();
        SynchronousQueue<Integer> back = new SynchronousQueue<>();
        Thread other = new Thread(() -> {
            try {
                for (int i = 0; i < 10; i++) {
                    pong(there.take());
                    back.put(i);
                }
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }, "pong player");
        other.start();
        for (int i = 0; i < 10; i++) {
            ping(i);
            there.put(i);
            back.take();
        }
        other.join();
    }

    static void lastWords(int n) {
        throw new IllegalStateException("uncaught");
    }

    static void dieInThread() throws Exception {
        Thread dying = new Thread(() -> lastWords(3), "dying");
        dying.setUncaughtExceptionHandler((thread, exception) -> {});
        dying.start();
        dying.join();
    }

    // Virtual threads, where there are some.

    static int inner(int n) throws Exception {
        Thread.sleep(1);
        return n;
    }

    static int outer(int n) throws Exception {
        return inner(n) + 1000;
    }

    static void runVirtually() throws Exception {
        Method start;
        try {
            start = Thread.class.getMethod("startVirtualThread", Runnable.class);
        } catch (NoSuchMethodException older) {
            start = null;
        }
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            int n = i;
            Runnable run = () -> {
                try {
                    outer(n);
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                }
            };
            if (start == null) {
                threads.add(new Thread(run));
                threads.get(i).start();
            } else {
                threads.add((Thread) start.invoke(null, run));
            }
        }
        for (Thread thread : threads) thread.join();
    }

    // Classes that come and go, with their loaders.

    public static class Plugin {
        public int work(int n) {
            return n * 2;
        }
    }

    static class Loader extends ClassLoader {
        final byte[] bytes;

        Loader(byte[] bytes) {
            super(Facts.class.getClassLoader());
            this.bytes = bytes;
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.equals("Facts$Plugin")) return super.loadClass(name, resolve);
            return defineClass(name, bytes, 0, bytes.length);
        }
    }

    static void usePlugins() throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (InputStream in = Facts.class.getResourceAsStream("Facts$Plugin.class")) {
            in.transferTo(bytes);
        }
        for (int i = 0; i < 3; i++) {
            Class<?> type = new Loader(bytes.toByteArray()).loadClass("Facts$Plugin");
            type.getMethod("work", int.class).invoke(type.getDeclaredConstructor().newInstance(), i + 20);
            type = null;
            System.gc();
        }
    }

    // Objects that die, and some that do not.

    static class Mortal {
        int touched;

        void touch(int n) {
            touched = n;
        }
    }

    static final List<Mortal> kept = new ArrayList<>();

    static void afterwards(int round) {}

    static void dieYoung() {
        for (int i = 0; i < 50; i++) {
            Mortal mortal = new Mortal();
            mortal.touch(i);
            if (i % 5 == 0) kept.add(mortal);
        }
        for (int round = 0; round < 20; round++) {
            System.gc();
            afterwards(round);
        }
    }

    // Who declares what.

    interface Shape {
        int area();
    }

    static class Square implements Shape {
        public int area() {
            return 4;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Square;
        }

        @Override
        public int hashCode() {
            return 17;
        }
    }

    static class LargeSquare extends Square {
        @Override
        public int area() {
            return 9;
        }
    }

    public static void main(String[] args) throws Exception {
        int sum = factorial(5) + caught(3);
        sum += yes(true) ? byteOf((byte) -3) + charOf('x') + shortOf((short) -300) : 0;
        sum += (int) (longOf(1L << 40) >> 40) + (int) floatOf(1.5f) + (int) doubleOf(-0.1);
        sum += text("Grüße \ud83d\ude00").length() + (nothing(new int[2], null) == null ? 1 : 0);
        sum += (int) new Facts().wide(7, 2.5, 3, "four");
        for (int value : new int[] {1, -1, 7, 100}) sum += constructed(value);
        sum += new Chosen().value + new Chosen(true).value;
        playInTurn();
        dieInThread();
        runVirtually();
        usePlugins();
        dieYoung();
        sum += new Square().area() + new LargeSquare().area() + new Square().hashCode();
        sum += new Square().equals(new LargeSquare()) ? 1 : 0;
        ArrayDeque<String> deque = new ArrayDeque<>();
        deque.push("only ours");
        System.out.println("went well: " + sum + " " + kept.size() + " " + deque.pop());
    }
}
