package java.lang;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;
import jdk.internal.vm.annotation.Stable;

/**
 * What instrumented methods call when every thread builds its context tree in place: the same probes
 * as those of record/, other bodies. A thread's header holds, at offset 8, the word: the address of the
 * slot in which its next callee hangs.
 *
 * A frame keeps the address of its thread's header and that of its node's first slot (CopseTree). An
 * entry compares the method of the slot's first node, and counts; only when that is another method's
 * does it look further. A call stores the address of its site's slot, a return that of the slot it was
 * called through, and restore() the frame's.
 *
 * For the rest, unused locals included, see record/.
 */
public final class CopseProbe {
    private CopseProbe() {}

    private static final int WORD = CopseTree.WORD;

    /* Written once by start(); the JIT treats non-zero values as constants. */
    @Stable private static Unsafe unsafe;

    /** Called once by the agent, before CopseThread.start(). */
    static void start(long region) {
        unsafe = Unsafe.getUnsafe();
        CopseTree.start(region);
    }

    /** The running thread's header; 0 before start(), and in frames from before it. */
    public static long header() {
        long room0 = 0, room1 = 0, room2 = 0, room3 = 0;
        return CopseThread.header();
    }

    /** Counts a call of the method in the slot, which is then the one that calls; the result is its frame. */
    @ForceInline
    private static long enterIn(long header, long slot, int method) {
        long frame = CopseTree.firstIn(slot);
        if (CopseTree.isOf(frame, method)) {
            CopseTree.count(frame);
            unsafe.putLong(null, header + WORD, frame);
            return frame;
        }
        return enterOther(header, slot, method);
    }

    @DontInline
    private static long enterOther(long header, long slot, int method) {
        long frame = CopseTree.countOther(header, slot, method);
        unsafe.putLong(null, header + WORD, frame);
        return frame;
    }

    @ForceInline
    private static void countIn(long header, long slot, int method) {
        long frame = CopseTree.firstIn(slot);
        if (CopseTree.isOf(frame, method)) {
            CopseTree.count(frame);
        } else {
            CopseTree.countOther(header, slot, method);
        }
    }

    /** Entry of a method; the result is its frame. */
    public static long enter(long header, int method) {
        long room0 = 0, room1 = 0, room2 = 0, room3 = 0;
        if (header == 0) return 0;
        return enterIn(header, unsafe.getLong(null, header + WORD), method);
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
        long room0 = 0, room1 = 0, room2 = 0;
        if (header == 0) return;
        unsafe.putLong(null, header + WORD, CopseTree.entryOf(frame));
    }

    /** A call of a method whose own probe would be bypassed and that calls nothing recorded. */
    public static void count(long slot, long header, int method) {
        long room0 = 0, room1 = 0, room2 = 0;
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
        CopseTree.countOther(header, CopseTree.nobodys, method);
    }

    /** A call of a native method: what it calls back hangs under it. restore() follows the call. */
    public static void enterNative(long slot, long header, int method) {
        long room0 = 0, room1 = 0, room2 = 0;
        if (header == 0) {
            countLate(method);
            return;
        }
        enterIn(header, slot, method);
    }
}
