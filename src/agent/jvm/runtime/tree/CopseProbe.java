package java.lang;

import copse.CopseNative;
import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.Hidden;

/**
 * Probes that instrumented methods call when every thread builds its context tree in place. They have the
 * places of the probes of record/, and other bodies. A thread's word is the address of the slot in which its next
 * callee hangs, and a frame is that of its node's first slot (CopseTree). An entry compares the method of
 * the slot's first node, and counts; only when that is another method's does it look further. A call stores
 * the address of its site's slot, a return that of the slot it was called through, and restore() the
 * frame's.
 *
 * What is less than the address of any slot is no word (CopseTree.word()).
 *
 * For unused locals see record/.
 */
public final class CopseProbe {
    private CopseProbe() {}

    /** Of a thread without a word; 0 when its calls are not recorded, for now. */
    @DontInline
    @Hidden private static long firstWord(Thread thread) {
        long header = CopseThread.header();
        if (header == 0) return 0;
        long word = CopseTree.word(header, thread);
        CopseWord.set(thread, word);
        return word;
    }

    @DontInline
    @Hidden private static long enterOther(long slot, int method) {
        long frame = CopseTree.countOther(slot, method);
        if (frame == 0) frame = countNew(slot, method);
        CopseWord.set(Thread.currentThread(), frame);
        return frame;
    }

    @DontInline
    @Hidden private static long countOther(long slot, int method) {
        long frame = CopseTree.countOther(slot, method);
        return frame != 0 ? frame : countNew(slot, method);
    }

    /** The unowned node's frame when the thread's calls are not recorded, for now. */
    @DontInline
    @Hidden private static long countNew(long slot, int method) {
        if (slot < CopseTree.lowest) slot = firstWord(Thread.currentThread());
        long header = CopseThread.header();
        return header == 0 ? CopseTree.unowned : CopseTree.place(header, slot, method);
    }

    @Hidden private static void countIn(long slot, int method) {
        if (slot >= CopseTree.lowest) {
            long frame = CopseTree.firstIn(slot);
            if (CopseTree.isOf(frame, method)) {
                CopseTree.count(frame);
                return;
            }
        }
        countOther(slot, method);
    }

    /** Counts a call of the method in the slot, which is then the one that calls; the result is its frame. */
    @Hidden private static long enterIn(long slot, int method) {
        if (slot >= CopseTree.lowest) {
            long frame = CopseTree.firstIn(slot);
            if (CopseTree.isOf(frame, method)) return entered(frame);
        }
        return CopseTree.known(enterOther(slot, method));
    }

    @Hidden private static long entered(long frame) {
        CopseTree.count(frame);
        CopseWord.set(Thread.currentThread(), frame);
        return frame;
    }

    /** Entry of a method; the result is its frame. */
    @Hidden public static long enter(int method) {
        long room0 = 0, room1 = 0, room2 = 0, room3 = 0;
        return CopseWord.isStarted() ? enterIn(CopseWord.of(Thread.currentThread()), method) : 0;
    }

    /** Entry of a method that cannot lead to another recorded call: the word stays as it is. */
    @Hidden public static void leaf(int method) {
        long room0 = 0, room1 = 0, room2 = 0, room3 = 0;
        if (CopseWord.isStarted()) countIn(CopseWord.of(Thread.currentThread()), method);
    }

    /** Before a call through a slot. */
    @Hidden public static void call(long slot) {
        long room0 = 0, room1 = 0, room2 = 0, room3 = 0;
        if (CopseWord.isStarted()) CopseWord.set(Thread.currentThread(), slot);
    }

    /** After a call, and at the start of an exception handler: no call site. */
    @Hidden public static void restore(long frame) {
        long room0 = 0, room1 = 0, room2 = 0, room3 = 0;
        if (CopseWord.isStarted()) CopseWord.set(Thread.currentThread(), frame);
    }

    /** Before a return. */
    @Hidden public static void exit(long frame) {
        long room0 = 0, room1 = 0, room2 = 0, room3 = 0;
        if (frame != 0) CopseWord.set(Thread.currentThread(), CopseTree.entryOf(frame));
    }

    /**
     * An exception ends the frame of a constructor, and with it those of the constructors that called it by super() or
     * this(): no handler may cover that call.
     */
    @DontInline
    @Hidden public static void exitConstructor(long frame) {
        if (frame != 0) CopseWord.set(Thread.currentThread(), slotBehindConstructors(frame));
    }

    /** The same, told to the agent as unwind() does. */
    @DontInline
    @Hidden public static void unwindConstructor(long frame) {
        if (frame == 0) return;
        long slot = slotBehindConstructors(frame);
        CopseWord.set(Thread.currentThread(), slot);
        CopseThread.throwsAgain(slot);
    }

    @Hidden private static long slotBehindConstructors(long frame) {
        long header = CopseThread.headerIfAny(Thread.currentThread());
        return header == 0 ? CopseTree.entryOf(frame) : CopseNative.wordBehindConstructors(header, frame);
    }

    /** An exception ends the frame, and is thrown again: the agent is told of that, and is not to count it. */
    @DontInline
    @Hidden public static void unwind(long frame) {
        if (frame == 0) return;
        long slot = CopseTree.entryOf(frame);
        CopseWord.set(Thread.currentThread(), slot);
        CopseThread.throwsAgain(slot); // last: see probed_throws.cpp
    }

    /** Behind enter(): the frame begins a slice, unless it is inside one (src/cct/inplace/inline_slices.h). */
    @DontInline
    @Hidden public static void beginSlice(long frame) {
        long header = frame == 0 ? 0 : CopseThread.header();
        if (header != 0) CopseNative.beginSlice(header, frame, CopseThread.isVirtual(Thread.currentThread()));
    }

    /** Before exit() or unwind(): the frame ends the slice that it began. */
    @DontInline
    @Hidden public static void endSlice(long frame) {
        long header = frame == 0 ? 0 : CopseThread.headerIfAny(Thread.currentThread());
        if (header != 0) CopseNative.endSlice(header, frame);
    }

    /** The number of the slice that begins at the running thread's word, for copse.Context.slice(); 0: none. */
    @DontInline
    @Hidden public static long beginSliceHere(String name) {
        if (!CopseWord.isStarted() || name == null) return 0;
        Thread thread = Thread.currentThread();
        long header = CopseThread.header();
        if (header == 0) return 0;
        return CopseNative.beginSliceHere(header, CopseTree.word(header, thread), name, CopseThread.isVirtual(thread));
    }

    /** Ends the slice with that number. */
    @DontInline
    @Hidden public static void endSliceHere(long slice) {
        if (!CopseWord.isStarted()) return;
        Thread thread = Thread.currentThread();
        long header = CopseThread.headerIfAny(thread);
        if (header != 0) CopseNative.endSliceHere(header, CopseTree.word(header, thread), slice);
    }

    /** Before a call of start(): a slice hands over the thread. */
    @DontInline
    @Hidden public static void starts(Object thread) {
        if (thread instanceof Thread) CopseTasks.handsOverAgain(thread);
    }

    /** After new (CopseAllocations, as the two below; here, because loaders are asked for this class alone). */
    @Hidden public static void allocatedIn(long frame, int type) {
        CopseAllocations.allocatedIn(frame, type);
    }

    /** After newarray and anewarray. */
    @Hidden public static void allocatedArrayIn(int length, long frame, int type, int layout) {
        CopseAllocations.allocatedArrayIn(length, frame, type, layout);
    }

    /** After multianewarray. */
    @Hidden public static void allocatedArraysIn(Object array, long frame, int type, int dimensions) {
        CopseAllocations.allocatedArraysIn(array, frame, type, dimensions);
    }

    /**
     * At the start of an exception handler, before restore(). {@code line}: of the method's own throw, 0 if the exception is
     * another's. CopseThrows does the work of this method and the next ones.
     */
    @DontInline
    @Hidden public static void caught(Object exception, int method, int line) {
        CopseThrows.arrives(exception, method, line, true, false);
    }

    /** An exception ends the method: before unwind(). */
    @DontInline
    @Hidden public static void passes(Object exception, int method, int line) {
        CopseThrows.arrives(exception, method, line, false, false);
    }

    /** Both of a method whose entry is leaf(). */
    @DontInline
    @Hidden public static void caughtInLeaf(Object exception, int method, int line) {
        CopseThrows.arrives(exception, method, line, true, true);
    }

    @DontInline
    @Hidden public static void passesLeaf(Object exception, int method, int line) {
        CopseThrows.arrives(exception, method, line, false, true);
    }

    /** A call of a method whose own probe would be bypassed and that calls nothing recorded. */
    @Hidden public static void count(long slot, int method) {
        long room0 = 0, room1 = 0, room2 = 0, room3 = 0;
        if (CopseWord.isStarted()) countIn(slot, method);
    }

    /** A call of a native method: what it calls back hangs under it. restore() follows the call. */
    @Hidden public static void enterNative(long slot, int method) {
        long room0 = 0, room1 = 0, room2 = 0, room3 = 0;
        if (CopseWord.isStarted()) enterIn(slot, method);
    }

    /**
     * Enters a native method; called by its trampoline (src/agent/jvm/hook/native_probes.h), which also leaves it.
     * Returns the call's frame, 0 before the start. Trees need neither place nor mark.
     */
    @Hidden static long beginNative(int method, long place, boolean isMarked) {
        return enter(method);
    }

    /**
     * Throws an exception of a probe before a return if it is dropped then: no stack was left. Others come from other
     * threads, and are the program's.
     */
    @DontInline
    @Hidden public static void drop(Throwable thrown) {
        if (thrown instanceof StackOverflowError) throw (StackOverflowError) thrown;
    }
}
