package java.lang;

import copse.CopseNative;

/**
 * Work of probes that count exceptions (src/agent/jvm/measures/probed_throws.h), done before the word is put right. For
 * both kinds of CopseProbe.
 *
 * No exception escapes: without stack or memory for counting, the exception is counted where it comes next.
 */
final class CopseThrows {
    private CopseThrows() {}

    /** Ignores null, which the JVM replaces with another exception. */
    static void thrown(Object exception, int method, int line) {
        try {
            if (exception instanceof Throwable) {
                CopseNative.throwing(Thread.currentThread(), (Throwable) exception, method, line);
            }
        } catch (Throwable none) {
            // It comes to a handler yet.
        }
    }

    /** To a handler of the method, or to its end. */
    static void arrives(Object exception, int method, boolean isCaught, boolean isLeaf) {
        try {
            if (exception instanceof Throwable) {
                CopseNative.arrives(Thread.currentThread(), (Throwable) exception, method, isCaught, isLeaf);
            }
        } catch (Throwable none) {
            // It comes to a caller yet, unless it is caught.
        }
    }
}
