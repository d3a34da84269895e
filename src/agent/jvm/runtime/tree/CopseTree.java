package java.lang;

import copse.CopseNative;
import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.Hidden;
import jdk.internal.vm.annotation.Stable;

/**
 * The context trees that probes build in place: a node's layout is that of src/cct/inplace/inline_layout.h. A
 * frame is the address of its node's first slot, the one for what the JVM calls by itself; a call's
 * slot is its frame plus four bytes per call site. For both kinds of CopseProbe that build trees.
 */
final class CopseTree {
    private CopseTree() {}

    private static final int UNIT_SHIFT = 3;   // inline_layout.h, like the next constants
    private static final int SLOTS = 28;
    private static final int SLOT_SHIFT = 2;
    private static final int CALLS = -SLOTS;   // offset from a frame, to TABLE_SIZE
    private static final int METHOD = 8 - SLOTS;
    private static final int NEXT = 12 - SLOTS;
    private static final int ENTRY = 16 - SLOTS;
    private static final int TABLE_SIZE = 24 - SLOTS;
    private static final int TABLE_HASH = 0x9E37_79B1;
    private static final int TABLE_SHIFT = 16;
    private static final long UNSIGNED = 0xFFFF_FFFFL;

    /* Written once by start(); the JIT treats non-zero values as constants. */
    @Stable private static Unsafe unsafe;
    /** Frame of node number 0, which does not exist. No slot is below it. */
    @Stable static long lowest;
    /** Frame of the node that belongs to no thread (src/cct/inplace/inline_region.h). */
    @Stable static long unowned;

    /** Called once by the agent, before CopseWord.start(). */
    @Hidden static void start(long region, long unownedNode) {
        unsafe = Unsafe.getUnsafe();
        lowest = region + SLOTS;
        unowned = unownedNode + SLOTS;
    }

    /**
     * The running thread's word, by its header, which is not 0. What is less than any slot is no word: a size of a
     * stack, or what a frame from before start() stores, which has 0 for its frame. The thread then stands at its entry.
     */
    @Hidden static long word(long header, Thread thread) {
        long word = CopseWord.of(thread);
        if (word < lowest) word = CopseWord.inHeader(header);
        return word < lowest ? CopseNative.entry(header) : word;
    }

    /** The same frame, as one that compilers know not to be 0: they then leave out what asks for that. */
    @Hidden static long known(long frame) {
        return lowest + (frame - lowest & UNSIGNED << UNIT_SHIFT);
    }

    @Hidden private static long frameOf(int node) {
        return lowest + ((node & UNSIGNED) << UNIT_SHIFT);
    }

    /** The frame of the node that a slot has first; that of node number 0 if there is none. */
    @Hidden static long firstIn(long slot) {
        return frameOf(unsafe.getInt(null, slot));
    }

    @Hidden static boolean isOf(long frame, int method) {
        return unsafe.getInt(null, frame + METHOD) == method;
    }

    @Hidden static void count(long frame) {
        unsafe.putLong(null, frame + CALLS, unsafe.getLong(null, frame + CALLS) + 1);
    }

    /** The slot that a frame was called through. */
    @Hidden static long entryOf(long frame) {
        return unsafe.getLong(null, frame + ENTRY);
    }

    /**
     * The frame of a method that is not the first in its slot, one call counted. 0 when it is not in the slot, or ought
     * to be the first: place() makes it so.
     */
    @Hidden static long countOther(long slot, int method) {
        if (slot < lowest) return 0;
        long frame = search(slot, method);
        if (frame == 0 || isCommoner(frame, firstIn(slot))) return 0;
        count(frame);
        return frame;
    }

    /** The same by the agent, whatever the slot has. */
    @Hidden static long place(long header, long slot, int method) {
        long frame = CopseNative.place(header, slot, method) + SLOTS;
        count(frame);
        return frame;
    }

    /** True if a callee has enough more calls than the first of its slot to take its place. A table keeps its place. */
    @Hidden private static boolean isCommoner(long frame, long first) {
        return callsOf(frame) > 2 * callsOf(first) + 1000 && !isOf(first, 0);
    }

    @Hidden private static long callsOf(long frame) {
        return unsafe.getLong(null, frame + CALLS);
    }

    /** Of the slot's other callees; 0 when it is none of them. */
    @Hidden private static long search(long slot, int method) {
        int node = unsafe.getInt(null, slot);
        while (node != 0) {
            long frame = frameOf(node);
            int of = unsafe.getInt(null, frame + METHOD);
            if (of == method) return frame;
            if (of == 0) return searchTable(frame, method);
            node = unsafe.getInt(null, frame + NEXT);
        }
        return 0;
    }

    /** The same in the table of a slot with many callees. Without a size it is of a recording that has ended. */
    @Hidden private static long searchTable(long table, int method) {
        int mask = unsafe.getInt(null, table + TABLE_SIZE) - 1;
        if (mask < 0) return 0;
        for (int i = method * TABLE_HASH >>> TABLE_SHIFT;; i++) {
            int node = unsafe.getInt(null, table + ((long) (i & mask) << SLOT_SHIFT));
            if (node == 0) return 0;
            long frame = frameOf(node);
            if (isOf(frame, method)) return frame;
        }
    }
}
