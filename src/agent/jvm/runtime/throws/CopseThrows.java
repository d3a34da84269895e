package java.lang;

import copse.CopseNative;
import jdk.internal.vm.annotation.Hidden;

/**
 * Work of probes that count exceptions (src/agent/jvm/measures/probed_throws.h), done before the word is put right. For
 * both kinds of CopseProbe.
 *
 * No exception escapes: without stack or memory for counting, the exception is counted where it comes next.
 */
final class CopseThrows {
    private CopseThrows() {}

    /** To a handler of the method, or to its end. {@code line}: as in CopseNative. */
    @Hidden static void arrives(Object exception, int method, int line, boolean isCaught, boolean isLeaf) {
        try {
            if (exception instanceof Throwable) {
                CopseNative.arrives(Thread.currentThread(), (Throwable) exception, method, line, isCaught, isLeaf);
            }
        } catch (Throwable none) {
            // It comes to a caller yet, unless it is caught.
        }
    }
}
