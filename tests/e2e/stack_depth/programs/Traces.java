import java.util.Set;
import java.util.TreeSet;

/** Overflows its stack in methods of several shapes, and prints the methods that the traces name. */
public class Traces {
    static final int INNERMOST = 50;

    static int down(int depth) {
        return down(depth + 1) + 1;
    }

    static void through(int depth) {
        try {
            if (depth >= 0) through(depth + 1);
        } finally {
            nothing();
        }
    }

    static void nothing() {}

    static Object built(int depth) {
        Object[] made = {new int[1], depth};
        return built(depth + 1) == made ? made : null;
    }

    public static void main(String[] args) throws InterruptedException {
        int rounds = Integer.parseInt(args[0]);
        Set<String> named = new TreeSet<>();
        // A stack that overflows soon.
        Thread thread = new Thread(null, () -> {
            for (int round = 0; round < rounds; round++) {
                for (Runnable shape : new Runnable[] {() -> down(0), () -> through(0), () -> built(0)}) {
                    try {
                        shape.run();
                    } catch (StackOverflowError overflow) {
                        StackTraceElement[] trace = overflow.getStackTrace();
                        for (int i = 0; i < INNERMOST; i++) {
                            named.add(trace[i].getClassName() + "." + trace[i].getMethodName());
                        }
                    }
                }
            }
        }, "overflows", 256 << 10);
        thread.start();
        thread.join();
        // Where their frame is the one that finds no room: what is called here, and by probes.
        named.remove("Traces.nothing");
        named.removeIf(name -> name.matches("(java.lang.(Integer|Number|Object)|jdk.internal.misc.Unsafe)\\..*"));
        named.forEach(System.out::println);
    }
}
