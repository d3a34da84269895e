package java.lang;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;
import jdk.internal.vm.annotation.Stable;

/**
 * What instrumented methods call when every thread builds its context tree in place: probes in the same
 * places as those of record/, other bodies. A thread's word is the address of the slot in which its next
 * callee hangs, and a frame is that of its node's first slot (CopseTree). An entry compares the method of
 * the slot's first node, and counts; only when that is another method's does it look further. A call stores
 * the address of its site's slot, a return that of the slot it was called through, and restore() the
 * frame's.
 *
 * The word is in a field, because JIT compilers know fields and not what lies outside the heap: where a
 * callee is inlined, its entry has the word that its caller stored without loading it, and what is stored
 * twice is stored once. And the header, which only slow paths need, need not be found by every entry and
 * kept by every frame. With --jdk the agent adds the field to Thread. Without, it is one that nobody needs
 * once the thread runs: Thread.stackSize, or from JDK 19 on that of Thread.holder. Virtual threads have no
 * holder; their word is in the header.
 *
 * What is less than the address of any slot is no word: a size of a stack, or what a frame from before
 * start() stores, which has 0 for its frame.
 *
 * For unused locals see record/.
 */
public final class CopseProbe {
    private CopseProbe() {}

    private static final int ADDED_FIELD = 1;  // runtime_class.h, as the two below
    private static final int STACK_SIZE = 2;
    private static final int HOLDERS_STACK_SIZE = 3;

    /* Written once by start(); the JIT treats non-zero values as constants. */
    @Stable private static Unsafe unsafe;
    @Stable private static int place;
    @Stable private static long holderOffset;  // of Thread's field, at that place
    @Stable private static long wordOffset;    // 0: not started

    /** Called once by the agent, before CopseThread.start(). */
    static void start(long region, long wordPlace) throws ClassNotFoundException {
        unsafe = Unsafe.getUnsafe();
        CopseTree.start(region);
        place = (int) wordPlace;
        Class<?> owner = Thread.class;
        if (place == HOLDERS_STACK_SIZE) {
            holderOffset = unsafe.objectFieldOffset(Thread.class, "holder");
            owner = Class.forName("java.lang.Thread$FieldHolder");
        }
        wordOffset = unsafe.objectFieldOffset(owner, place == ADDED_FIELD ? "copse$word" : "stackSize");
    }

    @ForceInline
    private static long wordOf(Thread thread) {
        if (place != HOLDERS_STACK_SIZE) return unsafe.getLong(thread, wordOffset);
        Object holder = unsafe.getReference(thread, holderOffset);
        return holder != null ? unsafe.getLong(holder, wordOffset) : wordOfVirtual(thread);
    }

    @ForceInline
    private static void setWord(Thread thread, long word) {
        if (place != HOLDERS_STACK_SIZE) {
            unsafe.putLong(thread, wordOffset, word);
            return;
        }
        Object holder = unsafe.getReference(thread, holderOffset);
        if (holder != null) {
            unsafe.putLong(holder, wordOffset, word);
        } else {
            setWordOfVirtual(thread, word);
        }
    }

    private static long wordOfVirtual(Thread thread) {
        long header = CopseThread.headerIfAny(thread);
        return header == 0 ? 0 : unsafe.getLong(null, header + CopseTree.WORD);
    }

    private static void setWordOfVirtual(Thread thread, long word) {
        long header = CopseThread.headerIfAny(thread);
        if (header != 0) unsafe.putLong(null, header + CopseTree.WORD, word);
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
        if (wordOffset != 0) countIn(wordOf(Thread.currentThread()), method);
    }

    /** Before a call through a slot. */
    public static void call(long slot) {
        long room0 = 0, room1 = 0, room2 = 0, room3 = 0;
        if (wordOffset != 0) setWord(Thread.currentThread(), slot);
    }

    /** After a call, and at the start of an exception handler: no call site. */
    public static void restore(long frame) {
        long room0 = 0, room1 = 0, room2 = 0, room3 = 0;
        if (wordOffset != 0) setWord(Thread.currentThread(), frame);
    }

    /** Before a return. */
    public static void exit(long frame) {
        long room0 = 0, room1 = 0, room2 = 0, room3 = 0;
        if (frame != 0) setWord(Thread.currentThread(), CopseTree.entryOf(frame));
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
