package java.lang;

import copse.CopseNative;
import jdk.internal.vm.annotation.Hidden;

/**
 * Recordings for unit tests (copse-test.jar): the calls that are made while a piece of code runs, as an excerpt of the
 * run (src/cct/inplace/excerpt.h). Public, because classes of the program call it by reflection. Only for probes that
 * build trees.
 */
public final class CopseExcerpt {
    private CopseExcerpt() {}

    private static final long RESUMES_FRAMES = 1;  // inline_trees.h

    /**
     * The running thread's calls are in an excerpt from now on. {@code whose}: 0, these alone; 1, all threads'; 2, also those
     * that other threads make outside of such excerpts (InlineExcerpts::Whose). The result is for end();
     * null: nothing is recorded any more, or there is no memory; without elements: the program may resume frames.
     */
    @Hidden public static long[] begin(int whose) {
        if (!CopseWord.isStarted()) return null;
        Thread thread = Thread.currentThread();
        long header = CopseThread.header();
        if (header == 0) return null;
        long[] began = new long[2];
        long word = CopseTree.word(header, thread);
        long slot = CopseNative.beginExcerpt(header, word, whose);
        if (slot == RESUMES_FRAMES) return new long[0];
        if (slot == 0) return null;
        CopseWord.set(thread, slot);
        began[0] = word;
        began[1] = slot;
        return began;
    }

    /**
     * The excerpt (excerpt_natives.h) that began so, on the same thread, when no frame is live that was entered
     * meanwhile. Null when recording has ended.
     */
    @Hidden public static byte[] end(long[] began) {
        CopseWord.set(Thread.currentThread(), began[0]);
        long header = CopseThread.header();
        return header == 0 ? null : CopseNative.endExcerpt(header, began[1]);
    }

    /**
     * Names of the methods behind the first so many; of each its class, name and descriptor, with a 0 behind each.
     */
    @Hidden public static byte[] methods(int known) {
        return CopseNative.methods(known);
    }

    /** What is not counted, or not completely: class, method ("": all) and reason, with a 0 behind each. */
    @Hidden public static byte[] skipped() {
        return CopseNative.skipped();
    }

    /** A call site's bytecode index, and in the lower half its line. */
    @Hidden public static long site(int method, int site) {
        return CopseNative.site(method, site);
    }
}
