import java.io.FileInputStream;
import java.io.IOException;
import java.io.PrintWriter;

/** Prints much, throws, allocates and calls; what became of it is in the file that is named, and nowhere else. */
public class Daemon {
    static volatile Object kept;

    static int step(int n) {
        kept = new byte[64];
        try {
            if (n % 10 == 0) throw new IllegalStateException("thrown " + n);
            return n + 1;
        } catch (IllegalStateException thrown) {
            return n + 1;
        }
    }

    static String inputs() {
        try {
            return "read-" + System.in.read();
        } catch (IOException failed) {
            return "cannot-read";
        }
    }

    /** Where descriptors are still closed these are theirs, and no file of the JVM's that comes and goes is printed to. */
    static final FileInputStream[] fillers = new FileInputStream[3];

    public static void main(String[] args) throws Exception {
        for (int i = 0; i < fillers.length; i++) fillers[i] = new FileInputStream("/dev/null");
        int sum = 0;
        for (int i = 0; i < 2_000; i++) {
            System.out.println("one of many lines of standard output: " + i);
            System.err.println("one of many lines of standard error: " + i);
            sum = step(sum);
        }
        try (PrintWriter result = new PrintWriter(args[0])) {
            result.println(sum + " " + inputs() + " " + System.out.checkError() + " " + System.err.checkError());
        }
        System.exit(7);
    }
}
