/**
 * Recurses until the stack is full, with a `catch` in every frame, through methods of every type. For each prints whether the
 * caller got the value or the exception of the frame that caught last, whether other exceptions or locks were left, and the
 * lines in which the caught exceptions were thrown. Every call and every return has a line of its own.
 */
public class Returns {
    static final class Mark extends RuntimeException {
        Mark() {
            super(null, null, false, false);
        }
    }

    static final Mark MARK = new Mark();
    static final String RESULT = "result";
    static final int[] RESULTS = {1};
    static final Object lock = new Object();
    static final Throwable[] caught = new Throwable[100];
    static int catches, others, last;
    static Throwable seen;

    static int ofInt(int depth) {
        int result;
        try {
            result = ofInt(depth + 1);
        } catch (StackOverflowError e) {
            caught[catches++] = e;
            result = last = depth;
        }
        return result;
    }

    /** With returns inside of its own range. */
    static boolean ofBoolean() {
        boolean result;
        try {
            result = ofBoolean();
            return result;
        } catch (StackOverflowError e) {
            caught[catches++] = e;
            return true;
        }
    }

    static long ofLong(long depth) {
        long result;
        try {
            result = ofLong(depth + 1);
            result += 0x1_0000_0000L;
        } catch (StackOverflowError e) {
            caught[catches++] = e;
            last = (int) depth;
            result = depth;
        }
        return result;
    }

    static double ofDouble(double depth) {
        double result;
        try {
            result = ofDouble(depth + 1);
            result++;
        } catch (StackOverflowError e) {
            caught[catches++] = e;
            result = -depth;
        }
        return result;
    }

    static float ofFloat(float depth) {
        float result;
        try {
            result = ofFloat(depth + 1);
            result++;
        } catch (StackOverflowError e) {
            caught[catches++] = e;
            result = -depth;
        } finally {
            others = 0;
        }
        return result;
    }

    static Comparable<String> ofObject() {
        Comparable<String> result;
        try {
            result = ofObject();
        } catch (StackOverflowError e) {
            caught[catches++] = e;
            return RESULT;
        }
        return result;
    }

    static int[] ofArray() {
        int[] result;
        try {
            result = ofArray();
        } catch (StackOverflowError e) {
            caught[catches++] = e;
            result = RESULTS;
        }
        return result;
    }

    static void ofNothing() {
        try {
            ofNothing();
        } catch (StackOverflowError e) {
            caught[catches++] = e;
        }
    }

    static synchronized int ofSynchronized(int depth) {
        int result;
        try {
            result = ofSynchronized(depth + 1);
        } catch (StackOverflowError e) {
            caught[catches++] = e;
            result = last = depth;
        }
        return result;
    }

    static int ofBlock(int depth) {
        int result;
        try {
            synchronized (lock) {
                result = ofBlock(depth + 1);
            }
        } catch (StackOverflowError e) {
            caught[catches++] = e;
            result = last = depth;
        }
        return result;
    }

    static class Made {
        Made inner;

        /** The verifier must know where `this` is initialised. */
        Made(int depth) {
            super();
            if (depth < 0) {
                return;
            }
            try {
                inner = new Made(depth + 1);
            } catch (StackOverflowError e) {
                caught[catches++] = e;
            }
        }

        Object many(int depth) {
            Object result;
            try {
                result = many(depth + 1);
            } catch (StackOverflowError e) {
                caught[catches++] = e;
                result = null;
            }
            switch (depth & 3) {
                case 0:
                    return result;
                case 1:
                    return result == null ? null : this;
                default:
                    return result;
            }
        }
    }

    /** Throws another exception where the stack is full; passes() has no handler. */
    static void marks() {
        try {
            passes();
        } catch (StackOverflowError e) {
            caught[catches++] = e;
            throw MARK;
        }
    }

    static void passes() {
        marks();
    }

    /** Throws the exception on. */
    static void throwsOn() {
        try {
            passesOn();
        } catch (StackOverflowError e) {
            if (seen == null) seen = e;
            if (seen != e) others++;
            throw e;
        }
    }

    static void passesOn() {
        throwsOn();
    }

    static int lineOf(Throwable thrown) {
        for (StackTraceElement frame : thrown.getStackTrace()) {
            if (frame.getClassName().startsWith("Returns")) return frame.getLineNumber();
        }
        return 0;
    }

    static void print(String shape, boolean isRight) {
        StringBuilder lines = new StringBuilder();
        for (int i = 0; i < catches; i++) {
            lines.append(' ').append(lineOf(caught[i]));
        }
        System.out.println(shape + " " + isRight + " " + others + " " + Thread.holdsLock(lock) + lines);
        catches = others = 0;
    }

    /** With an argument, only what throws nothing itself. */
    public static void main(String[] args) {
        for (int i = 0; i < 8; i++) {
            print("int", ofInt(0) == last && last > 500);
            print("boolean", ofBoolean());
            print("long", ofLong(0) == last * 0x1_0000_0001L && last > 500);
            print("double", ofDouble(0) == 0);
            print("float", ofFloat(0) == 0);
            print("object", ofObject() == RESULT);
            print("array", ofArray() == RESULTS);
            ofNothing();
            print("nothing", true);
            print("synchronized", ofSynchronized(0) == last && !Thread.holdsLock(Returns.class));
            print("block", ofBlock(0) == last);
            print("constructor", new Made(0).inner != null);
            print("many", new Made(-1).many(0) == null);
            if (args.length > 0) continue;
            Throwable thrown = null;
            try {
                marks();
            } catch (RuntimeException e) {
                thrown = e;
            }
            print("mark", thrown == MARK && catches == 1);
            seen = null;
            try {
                throwsOn();
            } catch (StackOverflowError e) {
                thrown = e;
            }
            caught[catches++] = thrown;
            print("overflow", thrown == seen);
        }
    }
}
