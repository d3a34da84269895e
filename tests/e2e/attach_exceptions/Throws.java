import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.lang.ref.WeakReference;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;

/**
 * Throws in every way there is, each once a round, and says so on standard output: does what it is told on
 * standard input, a line at a time. A comment behind a line that throws names it for the test.
 */
public class Throws {
    static class Failure extends RuntimeException {
        Failure() { super("failed"); }
        Failure(boolean leavesNoTrace) { super("prepared", null, false, false); }

        /* This program never calls these; a call by others is seen in its output. */
        public StackTraceElement[] getStackTrace() { return asked(new StackTraceElement[0]); }
        public String getMessage() { return asked("asked"); }
        public String toString() { return asked("asked"); }
        public int hashCode() { return asked(7); }
        public boolean equals(Object other) { return asked(other == this); }

        private static <T> T asked(T answer) {
            caught += 1_000_000;
            return answer;
        }
    }
    static class Unready extends RuntimeException {}

    static final Failure PREPARED = new Failure(true);
    static final Object lock = new Object();
    static int caught;

    static void fail() {
        throw new Failure(); // fail
    }

    static void explicit() {
        try {
            fail();
        } catch (Failure failure) {
            caught++;
        }
    }

    static void sameMethod() {
        try {
            throw new Failure(); // same method
        } catch (Failure failure) {
            caught++;
        }
    }

    static void again() {
        try {
            fail();
        } catch (Failure failure) {
            throw failure; // again
        }
    }

    static void inFinally() {
        try {
            fail();
        } finally {
            caught++;
        } // finally
    }

    static void inSynchronized() {
        synchronized (lock) {
            fail();
        } // synchronized
    }

    static synchronized void inSynchronizedMethod() {
        fail();
    }

    static class Resource implements AutoCloseable {
        public void close() {
            throw new Unready(); // close
        }
    }

    static void inResource() {
        try (Resource resource = new Resource()) { // resource
            fail();
        }
    }

    /** The inner handler takes one, the outer one what that throws, and a handler that covers itself neither. */
    static void nested() {
        try {
            try {
                fail();
            } catch (Failure failure) {
                throw new Unready(); // nested
            }
        } catch (Unready unready) {
            caught++;
        }
    }

    static void swallow(Runnable way) {
        try {
            way.run();
        } catch (RuntimeException exception) {
            caught++;
        }
    }

    static String missing;
    static Object something = 1;
    static int[] three = new int[3];
    static int zero;

    static void noPointer() {
        caught += missing.length(); // pointer
    }

    static void noElement() {
        three[3] = 1; // element
    }

    static void noQuotient() {
        caught = caught / zero; // quotient
    }

    static void noString() {
        caught += ((String) something).length(); // cast
    }

    static void throwsNull() {
        RuntimeException none = null;
        throw none; // null
    }

    static void ownHandler() {
        try {
            three[4] = 1; // own handler
        } catch (ArrayIndexOutOfBoundsException expected) {
            caught++;
        }
    }

    /** Calls nothing, and has no frame of its own. */
    static int leaf(int[] array, int index) {
        return array[index]; // leaf
    }

    static void callsLeaf() {
        caught += leaf(three, -1);
    }

    static int leafThrows(RuntimeException exception) {
        throw exception; // leaf throws
    }

    static void callsLeafThatThrows() {
        leafThrows(PREPARED);
    }

    static void parses() {
        Integer.parseInt("many");
    }

    static int deep(int depth) {
        if (depth == 0) fail();
        return deep(depth - 1) + 1;
    }

    static int deepParse(int depth) {
        return depth == 0 ? Integer.parseInt("more") : deepParse(depth - 1) + 1;
    }

    static class Base {
        Base(int ready) {}
    }

    static class Derived extends Base {
        Derived(boolean isReady) {
            super(isReady ? 1 : leaf(three, 3));
            if (isReady) throw new Unready(); // constructor
        }
    }

    static void beforeSuper() {
        new Derived(false);
    }

    static void behindSuper() {
        new Derived(true);
    }

    static void reflected() {
        try {
            Throws.class.getDeclaredMethod("fail").invoke(null);
        } catch (InvocationTargetException wrapper) {
            caught++;
        } catch (ReflectiveOperationException wrong) {
            throw new AssertionError(wrong);
        }
    }

    /** The JDK catches what the task throws, and throws another one in get(). */
    static void task(Runnable way) {
        FutureTask<Integer> task = new FutureTask<>(way, 0);
        task.run();
        try {
            task.get();
        } catch (Exception wrapper) {
            caught++;
        }
    }

    /** The JDK catches the same object time and again. */
    static void prepared() {
        for (int i = 0; i < 3; i++) task(Throws::callsLeafThatThrows);
        for (int i = 0; i < 3; i++) task(() -> List.of(1).forEach(number -> leafThrows(PREPARED)));
    }

    static void round() {
        explicit();
        sameMethod();
        swallow(Throws::again);
        swallow(Throws::inFinally);
        swallow(Throws::inSynchronized);
        swallow(Throws::inSynchronizedMethod);
        swallow(Throws::inResource);
        nested();
        swallow(Throws::noPointer);
        swallow(Throws::noElement);
        swallow(Throws::noQuotient);
        swallow(Throws::noString);
        swallow(Throws::throwsNull);
        ownHandler();
        swallow(Throws::callsLeaf);
        swallow(Throws::callsLeafThatThrows);
        swallow(Throws::parses);
        swallow(() -> deep(50));
        swallow(() -> deepParse(50));
        swallow(Throws::beforeSuper);
        swallow(Throws::behindSuper);
        reflected();
        task(Throws::fail);
        task(Throws::noElement);
        prepared();
    }

    static void rounds(int count) {
        for (int i = 0; i < count; i++) round();
    }

    static volatile boolean spinning;
    static final List<Thread> spinners = new ArrayList<>();

    /** Threads that throw until they are told to stop, and make others that do so for a moment. */
    static void spin() {
        while (spinning) {
            Thread thread = new Thread(() -> rounds(2));
            thread.start();
            round();
            try {
                thread.join();
            } catch (InterruptedException never) {
                throw new AssertionError(never);
            }
        }
    }

    /** Often enough for a compiler to make the exception beforehand. */
    static void hot(int count) {
        for (int i = 0; i < count; i++) {
            try {
                noElement();
            } catch (ArrayIndexOutOfBoundsException expected) {
                caught++;
            }
        }
    }

    /** The same of a method without a frame, called by the JDK, which catches the exception. */
    static void hotTask(int count) {
        for (int i = 0; i < count; i++) new FutureTask<>(Throws::noElement, 0).run();
    }

    static int overflow() {
        return overflow() + 1;
    }

    static int overflows;
    static Failure mark;

    /** Throws where no stack is left; passes() has no handler. */
    static void marks() {
        try {
            passes();
        } catch (StackOverflowError overflow) {
            overflows++;
            throw mark;
        }
    }

    static void passes() {
        marks();
    }

    static void allMarks(int count) {
        for (int i = 0; i < count; i++) {
            mark = new Failure(true);
            overflows = 0;
            try {
                marks();
            } catch (Failure failure) {
                if (failure == mark && overflows == 1) caught++;
            }
        }
    }

    static WeakReference<Throwable> thrown;

    static void remember() {
        Failure failure = new Failure();
        thrown = new WeakReference<>(failure);
        throw failure;
    }

    static String forgotten() throws InterruptedException {
        new FutureTask<>(Throws::remember, 0).run();
        for (int i = 0; i < 100 && thrown.get() != null; i++) {
            System.gc();
            Thread.sleep(10);
        }
        return thrown.get() == null ? "forgotten" : "kept";
    }

    static String answer(String command, int count) throws Exception {
        int before = caught;
        switch (command) {
            case "rounds":
                rounds(count);
                break;
            case "platform":
                Thread thread = new Thread(() -> rounds(count));
                thread.start();
                thread.join();
                break;
            case "virtual":
                Method start = Thread.class.getMethod("startVirtualThread", Runnable.class); // since 21
                ((Thread) start.invoke(null, (Runnable) () -> rounds(count))).join();
                break;
            case "spin":
                spinning = true;
                for (int i = 0; i < count; i++) {
                    spinners.add(new Thread(Throws::spin));
                    spinners.get(i).start();
                }
                return "spinning";
            case "stop":
                spinning = false;
                for (Thread spinner : spinners) spinner.join();
                return "stopped";
            case "hot":
                hot(count);
                break;
            case "hotTask":
                hotTask(count);
                break;
            case "overflow":
                for (int i = 0; i < count; i++) {
                    try {
                        overflow();
                    } catch (StackOverflowError expected) {
                        caught++;
                    }
                }
                break;
            case "marks":
                Thread small = new Thread(null, () -> allMarks(count), "small", 256 << 10);
                small.start();
                small.join();
                break;
            case "forget":
                return forgotten();
            default:
                return "what is " + command;
        }
        return "caught " + (caught - before);
    }

    public static void main(String[] args) throws Exception {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        System.out.println("ready");
        for (String line = in.readLine(); line != null && !line.equals("end"); line = in.readLine()) {
            String[] words = line.split(" ");
            System.out.println(answer(words[0], Integer.parseInt(words[1])));
        }
    }
}
