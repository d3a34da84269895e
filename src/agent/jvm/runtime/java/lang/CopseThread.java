package java.lang;

import copse.CopseNative;
import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;
import jdk.internal.vm.annotation.Stable;

/**
 * Finds the running thread's header, which lies outside the heap (thread_header.h): by a table indexed
 * with thread ids, or in a field that the agent adds to Thread. For every kind of CopseProbe.
 */
final class CopseThread {
    private CopseThread() {}

    private static final int BY_THREAD_ID = 1;
    private static final int IN_THREAD = 2;

    /* Written once by start(); the JIT treats non-zero values as constants. */
    @Stable private static Unsafe unsafe;
    @Stable private static int mode;          // 0: not started
    @Stable private static long threadOffset; // of Thread.tid, or of the field added to Thread
    @Stable private static long table;        // by thread id: address of the thread's header
    @Stable private static long tableMask;

    /** Called once by the agent, last. {@code tableAddress} 0: the header's address is in Thread's field. */
    static void start(String field, long tableAddress, long tableEntries) {
        unsafe = Unsafe.getUnsafe();
        threadOffset = unsafe.objectFieldOffset(Thread.class, field);
        table = tableAddress;
        tableMask = tableEntries - 1;
        mode = tableAddress != 0 ? BY_THREAD_ID : IN_THREAD;
    }

    /** The header of a thread that has none yet. */
    @DontInline
    private static long attach(Thread thread) {
        long header = CopseNative.attach(thread);
        if (mode == BY_THREAD_ID) {
            unsafe.putLong(null, table + ((unsafe.getLong(thread, threadOffset) & tableMask) << 3), header);
        } else {
            unsafe.putLong(thread, threadOffset, header);
        }
        return header;
    }

    /** The running thread's header; 0 before start(), and in frames from before it. */
    @ForceInline
    static long header() {
        if (mode == 0) return 0;
        Thread thread = Thread.currentThread();
        long header = mode == BY_THREAD_ID
            ? unsafe.getLong(null, table + ((unsafe.getLong(thread, threadOffset) & tableMask) << 3))
            : unsafe.getLong(thread, threadOffset);
        return header != 0 ? header : attach(thread);
    }
}
