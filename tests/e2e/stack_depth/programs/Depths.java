import java.io.*;

/** Recurses until the stack is full, again and again, and prints how deep it came each time. */
public class Depths {
    static int deepest;

    static int down(int depth) {
        if (depth > deepest) deepest = depth;
        return down(depth + 1) + 1;
    }

    static int depth() {
        deepest = 0;
        try {
            down(1);
        } catch (StackOverflowError expected) {
            // as deep as it goes
        }
        return deepest;
    }

    static void print(String thread, int times) {
        StringBuilder line = new StringBuilder(thread);
        for (int i = 0; i < times; i++) line.append(' ').append(depth());
        System.out.println(line);
    }

    static void inThread(String name, long stackBytes, int times) throws InterruptedException {
        Thread thread = new Thread(null, () -> print(name, times), name, stackBytes);
        thread.start();
        thread.join();
    }

    /** Depths TIMES [refuse]: with refuse, asks for threads that no system can make. */
    public static void main(String[] args) throws Exception {
        int times = Integer.parseInt(args[0]);
        print("main", times);
        // The smaller stack first: a thread may get the stack of one that has just ended, if that is large enough.
        inThread("explicit", 400 << 10, times);
        inThread("default", 0, times);
        if (args.length < 2) return;
        try {
            inThread("refused", 1L << 46, times);
        } catch (OutOfMemoryError expected) {
            System.out.println("refused " + expected.getMessage());
        }
    }
}
