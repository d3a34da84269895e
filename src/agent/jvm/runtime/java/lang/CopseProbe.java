package java.lang;

import copse.CopseNative;
import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;
import jdk.internal.vm.annotation.Stable;

/**
 * What instrumented methods call. Every thread has a header outside the heap: at offset 0 the address
 * of the next free record slot, at offset 8 the context word (depth and call site; call_record.h).
 * All headers lie in one region; the one at its start belongs to no thread, and its cursor is 0.
 *
 * A frame keeps one long: the word it was entered with (its caller's depth and call site) in the
 * upper 40 bits, the number of its thread's header in the lower 24. So only the entry of a method
 * looks for the header; every other probe is arithmetic on the frame's value and one store.
 *
 * A return gives back the word of the entry, call site included: what the JVM runs between a call and
 * its callee's entry (a class initialiser, a class loader) must not take the site away, nor must the
 * first callback of uninstrumented code take it from the second. Clearing it is for restore().
 *
 * Lives in java.lang so that every class loader delegates to it. Only intrinsic natives are called on
 * the fast path, never a method that could itself be instrumented, and each probe is one flat method:
 * it is inlined everywhere, and what it adds to the compiler's graph is paid at every call site.
 */
public final class CopseProbe {
    private CopseProbe() {}

    private static final long DEPTH_ONE = 1L << 40;
    private static final long DEPTH = -DEPTH_ONE;
    private static final int SITE_SHIFT = 24;
    private static final long NUMBER = (1L << SITE_SHIFT) - 1;
    private static final int HEADER_SHIFT = 7; // 128 bytes, as in thread_header.h
    private static final int WORD = 8;

    private static final int BY_THREAD_ID = 1;
    private static final int IN_THREAD = 2;

    /* Written once by start(); the JIT treats non-zero values as constants. */
    @Stable private static Unsafe unsafe;
    @Stable private static long headers;      // the region; 0: not started
    @Stable private static long packetMask;
    @Stable private static int mode;
    @Stable private static long threadOffset; // of Thread.tid, or of the field added to Thread
    @Stable private static long table;        // by thread id: number of the thread's header
    @Stable private static long tableMask;

    /** Called once by the agent. {@code tableAddress} 0: the header's number is in Thread's field. */
    static void start(String field, long headerRegion, long packetBytes, long tableAddress,
                      long tableEntries) {
        unsafe = Unsafe.getUnsafe();
        packetMask = packetBytes - 1;
        threadOffset = unsafe.objectFieldOffset(Thread.class, field);
        table = tableAddress;
        tableMask = tableEntries - 1;
        mode = tableAddress != 0 ? BY_THREAD_ID : IN_THREAD;
        headers = headerRegion;
    }

    /** A header with room for a record: of a thread that had none, or after a full packet. */
    @DontInline
    private static long refill(long header) {
        if (header != headers) {
            CopseNative.nextPacket(header);
            return header;
        }
        Thread thread = Thread.currentThread();
        long slot = mode == BY_THREAD_ID
            ? table + ((unsafe.getLong(thread, threadOffset) & tableMask) << 3)
            : threadOffset;
        Thread holder = mode == BY_THREAD_ID ? null : thread;
        long number = unsafe.getLong(holder, slot);
        if (number == 0) {
            number = (CopseNative.attach(thread) - headers) >> HEADER_SHIFT;
            unsafe.putLong(holder, slot, number);
        }
        // A frame from before start() knows no header; its thread may have one with a full packet.
        long own = headers + (number << HEADER_SHIFT);
        if ((unsafe.getLong(null, own) & packetMask) == 0) CopseNative.nextPacket(own);
        return own;
    }

    /** Entry of a method; the result is its frame's value. Frames from before start() have none (0). */
    @ForceInline
    public static long enter(int method) {
        if (headers == 0) return 0;
        Thread thread = Thread.currentThread();
        long number = mode == BY_THREAD_ID
            ? unsafe.getLong(null, table + ((unsafe.getLong(thread, threadOffset) & tableMask) << 3))
            : unsafe.getLong(thread, threadOffset);
        long header = headers + (number << HEADER_SHIFT);
        long cursor = unsafe.getLong(null, header);
        if ((cursor & packetMask) == 0) {
            header = refill(header);
            cursor = unsafe.getLong(null, header);
        }
        long word = unsafe.getLong(null, header + WORD);
        unsafe.putLong(null, cursor, word | method);
        unsafe.putLong(null, header, cursor + 8);
        unsafe.putLong(null, header + WORD, (word & DEPTH) + DEPTH_ONE);
        return word | ((header - headers) >> HEADER_SHIFT);
    }

    /** Entry of a method that cannot lead to another recorded call: the word stays as it is. */
    @ForceInline
    public static void leaf(int method) {
        if (headers == 0) return;
        Thread thread = Thread.currentThread();
        long number = mode == BY_THREAD_ID
            ? unsafe.getLong(null, table + ((unsafe.getLong(thread, threadOffset) & tableMask) << 3))
            : unsafe.getLong(thread, threadOffset);
        long header = headers + (number << HEADER_SHIFT);
        long cursor = unsafe.getLong(null, header);
        if ((cursor & packetMask) == 0) {
            header = refill(header);
            cursor = unsafe.getLong(null, header);
        }
        unsafe.putLong(null, cursor, unsafe.getLong(null, header + WORD) | method);
        unsafe.putLong(null, header, cursor + 8);
    }

    /** Before a call. */
    @ForceInline
    public static void call(long frame, int site) {
        if (headers == 0) return;
        unsafe.putLong(null, headers + ((frame & NUMBER) << HEADER_SHIFT) + WORD,
            (frame & DEPTH) + (DEPTH_ONE + ((long) site << SITE_SHIFT)));
    }

    /** After a call, and at the start of an exception handler: no call site. */
    @ForceInline
    public static void restore(long frame) {
        if (headers == 0) return;
        unsafe.putLong(null, headers + ((frame & NUMBER) << HEADER_SHIFT) + WORD,
            (frame & DEPTH) + DEPTH_ONE);
    }

    /** Before a return. */
    @ForceInline
    public static void exit(long frame) {
        if (headers == 0) return;
        unsafe.putLong(null, headers + ((frame & NUMBER) << HEADER_SHIFT) + WORD, frame & ~NUMBER);
    }

    /** A call of a method whose own probe would be bypassed and that calls nothing recorded. */
    @ForceInline
    public static void count(long frame, int site, int method) {
        if (headers == 0) return;
        long header = headers + ((frame & NUMBER) << HEADER_SHIFT);
        long cursor = unsafe.getLong(null, header);
        if ((cursor & packetMask) == 0) {
            header = refill(header);
            cursor = unsafe.getLong(null, header);
        }
        unsafe.putLong(null, cursor, ((frame & DEPTH) + (DEPTH_ONE + ((long) site << SITE_SHIFT))) | method);
        unsafe.putLong(null, header, cursor + 8);
    }

    /** A call of a native method: what it calls back hangs under it. restore() follows the call. */
    @ForceInline
    public static void enterNative(long frame, int site, int method) {
        if (headers == 0) return;
        long header = headers + ((frame & NUMBER) << HEADER_SHIFT);
        long cursor = unsafe.getLong(null, header);
        if ((cursor & packetMask) == 0) {
            header = refill(header);
            cursor = unsafe.getLong(null, header);
        }
        unsafe.putLong(null, cursor, ((frame & DEPTH) + (DEPTH_ONE + ((long) site << SITE_SHIFT))) | method);
        unsafe.putLong(null, header, cursor + 8);
        unsafe.putLong(null, header + WORD, (frame & DEPTH) + 2 * DEPTH_ONE);
    }
}
