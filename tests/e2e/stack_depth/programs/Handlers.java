/**
 * Recurses until the stack is full, through handlers that call nothing: they run in the frame that overflows, too. Prints
 * how many frames were entered and how many handlers did not run, or not with the exception of the program.
 */
public class Handlers {
    static final class Mark extends RuntimeException {
        Mark() {
            super(null, null, false, false);
        }
    }

    static final Mark MARK = new Mark();
    static final Object lock = new Object();
    static int entered, left, others;

    static int caught(int depth) {
        entered++;
        try {
            return caught(depth + 1);
        } catch (StackOverflowError e) {
            return depth;
        } finally {
            left++;
        }
    }

    static int locked(int depth) {
        entered++;
        try {
            synchronized (lock) {
                return locked(depth + 1);
            }
        } finally {
            left++;
        }
    }

    static int marked(int depth) {
        entered++;
        try {
            return marked(depth + 1);
        } catch (StackOverflowError e) {
            left++;
            throw MARK;
        } catch (RuntimeException e) {
            if (e != MARK) others++;
            left++;
            throw e;
        }
    }

    static void print(String shape) {
        System.out.println(shape + " " + (entered > 1000) + " " + (entered - left) + " " + others
            + " " + Thread.holdsLock(lock));
        entered = left = others = 0;
    }

    /** With an argument, only what throws nothing itself. */
    public static void main(String[] args) {
        for (int i = 0; i < 8; i++) {
            caught(0);
            print("caught");
            if (args.length > 0) continue;
            try {
                locked(0);
            } catch (StackOverflowError e) {
                print("locked");
            }
            try {
                marked(0);
            } catch (RuntimeException e) {
                if (e != MARK) others++;
                print("marked");
            }
        }
    }
}
