// Allocates in every way there is when it is told to, and says what the JVM's own counter has of it.
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntConsumer;

public class Makes {
    static class Small { int a; }
    static class Big extends Small { long b, c; byte d; Object e; Big() { e = new Small(); } }

    static volatile Object kept;
    static final com.sun.management.ThreadMXBean counter = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();

    static void objects(int n) { for (int i = 0; i < n; i++) kept = new Big(); }
    static void booleans(int n) { for (int i = 0; i < n; i++) kept = new boolean[i % 70]; }
    static void bytes(int n) { for (int i = 0; i < n; i++) kept = new byte[i % 70]; }
    static void chars(int n) { for (int i = 0; i < n; i++) kept = new char[i % 70]; }
    static void shorts(int n) { for (int i = 0; i < n; i++) kept = new short[i % 70]; }
    static void ints(int n) { for (int i = 0; i < n; i++) kept = new int[i % 70]; }
    static void longs(int n) { for (int i = 0; i < n; i++) kept = new long[i % 70]; }
    static void floats(int n) { for (int i = 0; i < n; i++) kept = new float[i % 70]; }
    static void doubles(int n) { for (int i = 0; i < n; i++) kept = new double[i % 70]; }
    static void references(int n) { for (int i = 0; i < n; i++) kept = new String[i % 70]; }
    static void cubes(int n) { for (int i = 0; i < n; i++) kept = new short[i % 3][i % 4][i % 5]; }
    static void open(int n) { for (int i = 0; i < n; i++) kept = new double[i % 3][2][]; }

    static final String[] NAMES = {"objects", "booleans", "bytes", "chars", "shorts", "ints", "longs", "floats", "doubles", "references",
        "cubes", "open"};
    static final IntConsumer[] WAYS = {Makes::objects, Makes::booleans, Makes::bytes, Makes::chars, Makes::shorts, Makes::ints, Makes::longs,
        Makes::floats, Makes::doubles, Makes::references, Makes::cubes, Makes::open};

    static long own() { return counter.getThreadAllocatedBytes(Thread.currentThread().getId()); }

    /** Bytes by way. The same code once before: nothing is loaded or learned while the counter is compared. */
    static void rounds(int n, long[] taken) {
        for (int i = 0; i < WAYS.length; i++) {
            long before = own();
            WAYS[i].accept(n);
            taken[i] = own() - before;
        }
    }
    static void warm(int n) { rounds(n, new long[WAYS.length]); }

    static String said(long[] taken) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < taken.length; i++) text.append(i == 0 ? "" : " ").append(NAMES[i]).append('=').append(taken[i]);
        return text.toString();
    }

    static volatile boolean spinning;
    static final List<Thread> spinners = new ArrayList<>();

    static void make() { kept = new Small(); }
    static void deeper(int depth) {
        kept = new int[depth];
        if (depth > 0) deeper(depth - 1);
    }
    /** Allocates until it is told to stop, and so do threads that it makes. */
    static void spin() {
        while (spinning) {
            Thread thread = new Thread(Makes::burst);
            thread.start();
            burst();
            try {
                thread.join();
            } catch (InterruptedException never) {
                throw new AssertionError(never);
            }
        }
    }
    static void burst() {
        for (int i = 0; i < 500; i++) {
            make();
            deeper(5);
        }
    }

    static int called;
    static void call() { called++; }
    static void first() { call(); call(); call(); kept = new Small(); }
    static void second() { call(); call(); call(); kept = new int[1]; }
    /** Frames of one depth that allocate so many calls apart, and more; between them are others of that depth. */
    static void apart(int fewest) {
        for (int calls = fewest; calls < fewest + 100; calls++) {
            first();
            for (int i = 0; i < calls; i++) call();
            second();
            for (int i = 0; i < calls; i++) call();
        }
    }

    /** A frame that stays while recordings come and go, and allocates itself when it is told to. */
    static void stay(BufferedReader in) throws Exception {
        say("staying");
        for (String line = in.readLine(); !line.equals("leave"); line = in.readLine()) {
            int count = Integer.parseInt(line);
            for (int i = 0; i < count; i++) {
                kept = new Small();
                kept = new long[1];
                kept = new byte[1][1];
                make();
            }
            say("made");
        }
    }

    static void say(String line) { System.out.println(line); }

    static String answer(BufferedReader in, String command, int count) throws Exception {
        long[] taken = new long[WAYS.length];
        switch (command) {
            case "warm":
                warm(count);
                return "warm";
            case "rounds":
                rounds(count, taken);
                return said(taken);
            case "platform":
                Thread thread = new Thread(() -> rounds(count, taken));
                thread.start();
                thread.join();
                return said(taken);
            case "virtual": // since 21
                ((Thread) Thread.class.getMethod("startVirtualThread", Runnable.class)
                    .invoke(null, (Runnable) () -> rounds(count, new long[WAYS.length]))).join();
                return "done";
            case "apart":
                apart(count);
                return "done";
            case "spin":
                spinning = true;
                for (int i = 0; i < count; i++) {
                    spinners.add(new Thread(Makes::spin));
                    spinners.get(i).start();
                }
                return "spinning";
            case "stop":
                spinning = false;
                for (Thread spinner : spinners) spinner.join();
                spinners.clear();
                return "stopped";
            case "stay":
                stay(in);
                return "left";
            default:
                throw new IllegalArgumentException(command);
        }
    }

    public static void main(String[] args) throws Exception {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        System.out.println("ready");
        for (String line = in.readLine(); line != null && !line.equals("end"); line = in.readLine()) {
            String[] words = line.split(" ");
            System.out.println(answer(in, words[0], Integer.parseInt(words[1])));
        }
    }
}
