package java.lang;

import copse.CopseNative;

/**
 * What probes do where exceptions are counted by them (src/agent/jvm/measures/probed_throws.h), before the word is put
 * right. For both kinds of CopseProbe.
 *
 * Nothing gets out of here: without stack or memory for more the exception is counted where it comes next.
 */
final class CopseThrows {
    private CopseThrows() {}

    /** Null, in whose place the JVM throws another exception, is none. */
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
