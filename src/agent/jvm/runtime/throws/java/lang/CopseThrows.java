package java.lang;

import copse.CopseNative;
import jdk.internal.vm.annotation.DontInline;

/**
 * What instrumented methods call where exceptions are counted by probes (src/agent/jvm/probed_throws.h), before
 * the word is put right.
 *
 * Nothing gets out of here, and no exception of the program's is taken for another one: without stack or memory
 * for more the exception is counted where it comes next.
 */
public final class CopseThrows {
    private CopseThrows() {}

    /** Before athrow. Null, in whose place the JVM throws another exception, is none. */
    @DontInline
    public static void thrown(Object exception, int method, int line) {
        try {
            if (exception instanceof Throwable) {
                CopseNative.throwing(Thread.currentThread(), (Throwable) exception, method, line);
            }
        } catch (Throwable none) {
            // It comes to a handler yet.
        }
    }

    /** At the start of an exception handler. */
    @DontInline
    public static void caught(Object exception, int method) {
        arrives(exception, method, true);
    }

    /** An exception ends the method. */
    @DontInline
    public static void passes(Object exception, int method) {
        arrives(exception, method, false);
    }

    private static void arrives(Object exception, int method, boolean isCaught) {
        try {
            if (exception instanceof Throwable) {
                CopseNative.arrives(Thread.currentThread(), (Throwable) exception, method, isCaught);
            }
        } catch (Throwable none) {
            // It comes to a caller's handler yet, unless it is caught.
        }
    }
}
