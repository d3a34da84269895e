package java.lang;

import copse.CopseNative;
import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.Hidden;
import jdk.internal.vm.annotation.Stable;

/**
 * Finds the running thread's header, which lies outside the heap (thread_header.h): by a table indexed
 * with thread ids, or in a field that the agent adds to Thread. For every kind of CopseProbe.
 */
final class CopseThread {
    private CopseThread() {}

    private static final int BY_THREAD_ID = 1;
    private static final int IN_THREAD = 2;
    private static final int MOUNTED = 72;  // thread_header.h, as below
    private static final int RETHROWS = 96;
    private static final long RETHROWN = 1;

    /* Written once by start(); the JIT treats non-zero values as constants. */
    @Stable private static Unsafe unsafe;
    @Stable private static int mode;          // 0: not started
    @Stable private static long threadOffset; // of Thread.tid, or of the field added to Thread
    @Stable private static long table;        // by thread id: address of the thread's header
    @Stable private static long tableMask;
    @Stable private static long idOffset;     // of Thread.tid
    @Stable private static long nameOffset;   // of Thread.name
    @Stable private static Class<?> virtualThread;  // null in a JVM without virtual threads
    @Stable private static long carrierOffset;      // of VirtualThread.carrierThread

    /** Called once by the agent, last. {@code tableAddress} 0: the header's address is in Thread's field. */
    @Hidden static void start(String field, long tableAddress, long tableEntries) {
        unsafe = Unsafe.getUnsafe();
        idOffset = unsafe.objectFieldOffset(Thread.class, "tid");
        nameOffset = unsafe.objectFieldOffset(Thread.class, "name");
        threadOffset = unsafe.objectFieldOffset(Thread.class, field);
        try {
            Class<?> type = Class.forName("java.lang.VirtualThread", false, null);
            carrierOffset = unsafe.objectFieldOffset(type, "carrierThread");
            virtualThread = type;
        } catch (ClassNotFoundException | InternalError e) {
            // Then no thread is mounted on another one.
        }
        table = tableAddress;
        tableMask = tableEntries - 1;
        mode = tableAddress != 0 ? BY_THREAD_ID : IN_THREAD;
    }

    /** The header of a thread that has none yet. */
    @DontInline
    @Hidden private static long attach(Thread thread) {
        long header = CopseNative.attach(thread);
        setHeader(thread, header);
        if (isVirtual(thread)) {
            Thread carrier = carrierOf(thread);
            if (carrier != null && headerOf(carrier) == 0) setHeader(carrier, CopseNative.attach(carrier));
            setMounted(thread, header);
        }
        return header;
    }

    @Hidden static boolean isVirtual(Thread thread) {
        return virtualThread != null && thread.getClass() == virtualThread;
    }

    @Hidden private static Thread carrierOf(Thread virtual) {
        return (Thread) unsafe.getReference(virtual, carrierOffset);
    }

    @Hidden private static void setMounted(Thread virtual, long header) {
        Thread carrier = carrierOf(virtual);
        long carriers = carrier == null ? 0 : headerOf(carrier);
        if (carriers != 0) unsafe.putLong(null, carriers + MOUNTED, header);
    }

    @Hidden private static long headerOf(Thread thread) {
        return mode == BY_THREAD_ID
            ? unsafe.getLong(null, table + ((unsafe.getLong(thread, threadOffset) & tableMask) << 3))
            : unsafe.getLong(thread, threadOffset);
    }

    @Hidden private static void setHeader(Thread thread, long header) {
        if (mode == BY_THREAD_ID) {
            unsafe.putLong(null, table + ((unsafe.getLong(thread, threadOffset) & tableMask) << 3), header);
        } else {
            unsafe.putLong(thread, threadOffset, header);
        }
    }

    /** A thread's header; 0 when it has none. */
    @Hidden static long headerIfAny(Thread thread) {
        return mode == 0 ? 0 : headerOf(thread);
    }

    /** The running thread's header; 0 before start(), and in frames from before it. */
    @Hidden static long header() {
        if (mode == 0) return 0;
        Thread thread = Thread.currentThread();
        long header = headerOf(thread);
        return header != 0 ? header : attach(thread);
    }

    /** The running thread, whose word is this one now, throws an exception that was thrown before. */
    @Hidden static void throwsAgain(long word) {
        throwsAgain(headerIfAny(Thread.currentThread()), word);
    }

    /** The same by its header. */
    @Hidden static void throwsAgain(long header, long word) {
        if (header != 0) unsafe.putLong(null, header + RETHROWS, word | RETHROWN);
    }

    /** A virtual thread runs on its carrier from now on: from VirtualThread.mount(). */
    @DontInline
    @Hidden static void mounted(Thread thread) {
        if (mode != 0 && virtualThread != null) setMounted(thread, headerOf(thread));
    }

    /**
     * A virtual thread has left its carrier, the current thread: from VirtualThread.unmount(). A cursor
     * that is not 0 says that it holds a packet.
     */
    @DontInline
    @Hidden static void unmounted(Thread thread) {
        if (mode == 0) return;
        long carriers = headerOf(Thread.currentThread());
        if (carriers != 0) unsafe.putLong(null, carriers + MOUNTED, 0);
        long header = headerOf(thread);
        if (header != 0 && unsafe.getLong(null, header) != 0) CopseNative.parked(header);
    }

    /** The running thread begins to take or leave its carrier, or has done so: from VirtualThread. */
    @DontInline
    @Hidden static void moves(boolean begins) {
        if (mode != 0) CopseNative.moves(begins);
    }

    /** The current thread starts a virtual thread. */
    @DontInline
    @Hidden static void starts(Thread thread) {
        if (mode != 0) CopseNative.starts(thread);
    }

    /** A virtual thread has ended, said on its last carrier. */
    @DontInline
    @Hidden static void ended(Thread thread) {
        if (mode == 0) return;
        long header = headerOf(thread);
        if (header != 0) setHeader(thread, 0);
        // No call of the JDK's: it would be recorded.
        CopseNative.ended(unsafe.getLong(thread, idOffset), header, (String) unsafe.getReference(thread, nameOffset));
    }
}
