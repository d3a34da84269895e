package java.lang;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;
import jdk.internal.vm.annotation.Stable;

/**
 * The probes of tree/, where a thread's word is in a field of Thread that nobody needs once the thread
 * runs (Thread.stackSize, before JDK 19). JIT compilers know fields, and not what lies outside the heap:
 * where a callee is inlined, its entry has the word that its caller stored without loading it, and what
 * is stored twice is stored once. And the header, which only slow paths need, need not be found by
 * every entry and kept by every frame.
 *
 * What is less than the address of any slot is no word: a size of a stack, or what a frame from before
 * start() stores, which has 0 for its frame.
 */
public final class CopseProbe {
    private CopseProbe() {}

    /* Written once by start(); the JIT treats non-zero values as constants. */
    @Stable private static Unsafe unsafe;
    @Stable private static long wordOffset;  // of Thread's field; 0: not started

    /** Called once by the agent, before CopseThread.start(). */
    static void start(long region) {
        unsafe = Unsafe.getUnsafe();
        CopseTree.start(region);
        wordOffset = unsafe.objectFieldOffset(Thread.class, "stackSize");
    }

    @ForceInline
    private static long wordOf(Thread thread) {
        return unsafe.getLong(thread, wordOffset);
    }

    @ForceInline
    private static void setWord(Thread thread, long word) {
        unsafe.putLong(thread, wordOffset, word);
    }

    /** Of a thread without a word; 0 when its calls are not recorded, for now. */
    @DontInline
    private static long firstWord(Thread thread) {
        long header = CopseThread.header();
        if (header == 0) return 0;
        long word = unsafe.getLong(null, header + CopseTree.WORD);
        setWord(thread, word);
        return word;
    }

    @DontInline
    private static long enterOther(Thread thread, long slot, int method) {
        long frame = countOther(slot, method);
        setWord(thread, frame);
        return frame;
    }

    /** 0 when the thread's calls are not recorded, for now. */
    @DontInline
    private static long countOther(long slot, int method) {
        if (slot < CopseTree.nobodys) slot = firstWord(Thread.currentThread());
        long header = CopseThread.header();
        return header == 0 ? 0 : CopseTree.countOther(header, slot, method);
    }

    @ForceInline
    private static void countIn(long slot, int method) {
        if (slot >= CopseTree.nobodys) {
            long frame = CopseTree.firstIn(slot);
            if (CopseTree.isOf(frame, method)) {
                CopseTree.count(frame);
                return;
            }
        }
        countOther(slot, method);
    }

    /** Counts a call of the method in the slot, which is then the one that calls; the result is its frame. */
    @ForceInline
    private static long enterIn(long slot, int method) {
        Thread thread = Thread.currentThread();
        if (slot >= CopseTree.nobodys) {
            long frame = CopseTree.firstIn(slot);
            if (CopseTree.isOf(frame, method)) {
                CopseTree.count(frame);
                setWord(thread, frame);
                return frame;
            }
        }
        return enterOther(thread, slot, method);
    }

    /** Entry of a method; the result is its frame. */
    public static long enter(int method) {
        long room0 = 0, room1 = 0, room2 = 0, room3 = 0;
        return wordOffset == 0 ? 0 : enterIn(wordOf(Thread.currentThread()), method);
    }

    /** Entry of a method that cannot lead to another recorded call: the word stays as it is. */
    public static void leaf(int method) {
        if (wordOffset == 0) return;
        countIn(wordOf(Thread.currentThread()), method);
    }

    /** Before a call through a slot. */
    public static void call(long slot) {
        long room0 = 0, room1 = 0, room2 = 0, room3 = 0;
        if (wordOffset == 0) return;
        setWord(Thread.currentThread(), slot);
    }

    /** After a call, and at the start of an exception handler: no call site. */
    public static void restore(long frame) {
        long room0 = 0, room1 = 0, room2 = 0, room3 = 0;
        if (wordOffset == 0) return;
        setWord(Thread.currentThread(), frame);
    }

    /** Before a return. */
    public static void exit(long frame) {
        long room0 = 0, room1 = 0, room2 = 0, room3 = 0;
        if (frame == 0) return;
        setWord(Thread.currentThread(), CopseTree.entryOf(frame));
    }

    /** A call of a method whose own probe would be bypassed and that calls nothing recorded. */
    public static void count(long slot, int method) {
        long room0 = 0, room1 = 0, room2 = 0, room3 = 0;
        if (wordOffset != 0) countIn(slot, method);
    }

    /** A call of a native method: what it calls back hangs under it. restore() follows the call. */
    public static void enterNative(long slot, int method) {
        long room0 = 0, room1 = 0, room2 = 0, room3 = 0;
        if (wordOffset != 0) enterIn(slot, method);
    }
}
