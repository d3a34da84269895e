package java.lang;

import copse.CopseNative;
import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;
import jdk.internal.vm.annotation.Stable;

/**
 * What instrumented methods call when every thread builds its context tree in place: the same probes
 * as those of runtime/, other bodies. A node's layout is that of src/cct/inline_layout.h; a thread's
 * header holds, at offset 8, the address of the slot in which its next callee hangs.
 *
 * A frame keeps the address of its thread's header and that of its node's first slot, the one for what
 * the JVM calls by itself. An entry compares the method of the slot's first node, and counts; only when
 * that is another method's does it look further. A call stores the address of its site's slot, a return
 * that of the slot it was called through, and restore() the frame's.
 *
 * For the rest, unused locals included, see runtime/.
 */
public final class CopseProbe {
    private CopseProbe() {}

    private static final int WORD = 8;         // thread_header.h, as below
    private static final int NODES = 24;
    private static final int UNIT_SHIFT = 3;   // inline_layout.h, as all below
    private static final int METHOD = 8;
    private static final int NEXT = 12;
    private static final int ENTRY = 16;
    private static final int TABLE_SIZE = 24;
    private static final int SLOTS = 28;
    private static final int SLOT_SHIFT = 2;
    private static final int TABLE_HASH = 0x9E37_79B1;
    private static final int TABLE_SHIFT = 16;
    private static final long UNSIGNED = 0xFFFF_FFFFL;

    /* Written once by start(); the JIT treats non-zero values as constants. */
    @Stable private static Unsafe unsafe;

    /** Called once by the agent, before CopseThread.start(). */
    static void start() {
        unsafe = Unsafe.getUnsafe();
    }

    /** The address of a method's node that is not the first in its slot. */
    @DontInline
    private static long search(long header, long slot, int method) {
        long nodes = unsafe.getLong(null, header + NODES);
        long node = unsafe.getInt(null, slot) & UNSIGNED;
        while (node != 0) {
            long at = nodes + (node << UNIT_SHIFT);
            int of = unsafe.getInt(null, at + METHOD);
            if (of == method) return at;
            if (of == 0) {
                long found = searchTable(nodes, at, method);
                if (found != 0) return found;
                break;
            }
            node = unsafe.getInt(null, at + NEXT) & UNSIGNED;
        }
        return CopseNative.place(header, slot, method);
    }

    /** The same in the table of a slot with many callees; 0 when it is not there. */
    @ForceInline
    private static long searchTable(long nodes, long table, int method) {
        int mask = unsafe.getInt(null, table + TABLE_SIZE) - 1;
        for (int i = method * TABLE_HASH >>> TABLE_SHIFT;; i++) {
            long node = unsafe.getInt(null, table + SLOTS + ((long) (i & mask) << SLOT_SHIFT)) & UNSIGNED;
            if (node == 0) return 0;
            long at = nodes + (node << UNIT_SHIFT);
            if (unsafe.getInt(null, at + METHOD) == method) return at;
        }
    }

    /** The running thread's header; 0 before start(), and in frames from before it. */
    public static long header() {
        long room0 = 0, room1 = 0, room2 = 0, room3 = 0;
        return CopseThread.header();
    }

    /** Counts a call of the method in the slot; the result is its node's address. */
    @ForceInline
    private static long countIn(long header, long slot, int method) {
        long at = unsafe.getLong(null, header + NODES)
            + ((unsafe.getInt(null, slot) & UNSIGNED) << UNIT_SHIFT);
        if (unsafe.getInt(null, at + METHOD) != method) at = search(header, slot, method);
        unsafe.putLong(null, at, unsafe.getLong(null, at) + 1);
        return at;
    }

    /** Entry of a method; the result is its frame. */
    public static long enter(long header, int method) {
        if (header == 0) return 0;
        long frame = countIn(header, unsafe.getLong(null, header + WORD), method) + SLOTS;
        unsafe.putLong(null, header + WORD, frame);
        return frame;
    }

    /** Entry of a method that cannot lead to another recorded call: the word stays as it is. */
    public static void leaf(int method) {
        long header = header();
        if (header == 0) return;
        countIn(header, unsafe.getLong(null, header + WORD), method);
    }

    /** Before a call through a slot. */
    public static void call(long slot, long header) {
        long room0 = 0, room1 = 0, room2 = 0;
        if (header == 0) return;
        unsafe.putLong(null, header + WORD, slot);
    }

    /** After a call, and at the start of an exception handler: no call site. */
    public static void restore(long header, long frame) {
        long room0 = 0, room1 = 0, room2 = 0;
        if (header == 0) return;
        unsafe.putLong(null, header + WORD, frame);
    }

    /** Before a return. */
    public static void exit(long header, long frame) {
        if (header == 0) return;
        unsafe.putLong(null, header + WORD, unsafe.getLong(null, frame + (ENTRY - SLOTS)));
    }

    /** A call of a method whose own probe would be bypassed and that calls nothing recorded. */
    public static void count(long slot, long header, int method) {
        if (header == 0) {
            countLate(method);
        } else {
            countIn(header, slot, method);
        }
    }

    /** From a frame from before start(), which may make the thread's first recorded call. */
    @DontInline
    private static void countLate(int method) {
        long header = header();
        if (header == 0) return;
        long nobodys = unsafe.getLong(null, header + NODES) + SLOTS;
        long at = CopseNative.place(header, nobodys, method);
        unsafe.putLong(null, at, unsafe.getLong(null, at) + 1);
    }

    /** A call of a native method: what it calls back hangs under it. restore() follows the call. */
    public static void enterNative(long slot, long header, int method) {
        if (header == 0) {
            countLate(method);
            return;
        }
        long at = countIn(header, slot, method);
        unsafe.putLong(null, header + WORD, at + SLOTS);
    }
}
