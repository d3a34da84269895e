package java.lang;

import copse.CopseNative;
import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.Hidden;
import jdk.internal.vm.annotation.Stable;

/**
 * Probes that instrumented methods call. Every thread has a header outside the heap: at offset 0 the address
 * of the next free record slot, at offset 8 the context word (depth and call site; call_record.h).
 *
 * A frame keeps two longs: the address of its thread's header, and the word it was entered with (its
 * caller's depth and call site). So only the entry of a method looks for the header; every other probe
 * is one store of what the frame has. Addresses must reach the compiler as plain variables: a constant
 * of 64 bits in an address costs an instruction and a register each time it is used.
 *
 * A return gives back the word of the entry, call site included: what the JVM runs between a call and
 * its callee's entry (a class initialiser, a class loader) must not take the site away, nor must the
 * first callback of uninstrumented code take it from the second. Clearing it is for restore().
 *
 * Lives in java.lang so that every class loader delegates to it. Only intrinsic natives are called on
 * the fast path, never a method that could itself be instrumented.
 *
 * C2 inlines probes wherever they run often. C1 must not: for every slot that an inlined method's
 * operands may take it keeps eight bytes of its caller's frame, and a program that recurses would end
 * early. It leaves alone what is larger than 35 bytes, or needs too many slots: hence the locals named
 * `room`, which nothing uses. For the same reason no probe takes more than four slots of operands.
 */
public final class CopseProbe {
    private CopseProbe() {}

    private static final long DEPTH_ONE = 1L << 40;
    private static final long DEPTH = -DEPTH_ONE;
    private static final long SITE = 0xFFFF;
    private static final int SITE_SHIFT = 24;
    private static final int WORD = 8;
    private static final int UNWATCHED = 1;  // words: no other thread reads them while their threads run
    private static final int WATCHED = 2;

    /* Written once by start(); the JIT treats non-zero values as constants. */
    @Stable private static Unsafe unsafe;
    @Stable private static long packetMask;
    @Stable private static int words;  // UNWATCHED or WATCHED

    /**
     * Called once by the agent, before CopseThread.start(). {@code areWatched} not 0: words are read while their
     * threads run.
     */
    @Hidden static void start(long packetBytes, long areWatched) {
        unsafe = Unsafe.getUnsafe();
        words = areWatched != 0 ? WATCHED : UNWATCHED;
        packetMask = packetBytes - 1;
    }

    /** A compiler leaves out plain stores between which nothing happens that it knows of (CopseWord.java). */
    @Hidden private static void setWord(long header, long word) {
        if (words == WATCHED) {
            setWatched(header, word);
        } else {
            unsafe.putLong(null, header + WORD, word);
        }
    }

    @Hidden private static void setWatched(long header, long word) {
        unsafe.putLongOpaque(null, header + WORD, word);
    }

    @DontInline
    @Hidden private static void nextPacket(long header) {
        CopseNative.nextPacket(header);
    }

    /** The running thread's header; 0 before start(), and in frames from before it. */
    @Hidden public static long header() {
        long room0 = 0, room1 = 0, room2 = 0, room3 = 0;
        return CopseThread.header();
    }

    /** Entry of a method; the result is its frame's word. */
    @Hidden public static long enter(long header, int method) {
        if (header == 0) return 0;
        long word = unsafe.getLong(null, header + WORD);
        long cursor = unsafe.getLong(null, header);
        if ((cursor & packetMask) == 0) {
            nextPacket(header);
            cursor = unsafe.getLong(null, header);
        }
        unsafe.putLong(null, cursor, word | method);
        unsafe.putLong(null, header, cursor + 8);
        setWord(header, (word & DEPTH) + DEPTH_ONE);
        return word;
    }

    /** Entry of a method that cannot lead to another recorded call: the word stays as it is. */
    @Hidden public static void leaf(int method) {
        long header = header();
        if (header == 0) return;
        long cursor = unsafe.getLong(null, header);
        if ((cursor & packetMask) == 0) {
            nextPacket(header);
            cursor = unsafe.getLong(null, header);
        }
        unsafe.putLong(null, cursor, unsafe.getLong(null, header + WORD) | method);
        unsafe.putLong(null, header, cursor + 8);
    }

    /** The word of a callee, by a frame with the call site added. */
    @Hidden private static long wordOf(long callee) {
        return ((callee & DEPTH) + DEPTH_ONE) | (callee & SITE) << SITE_SHIFT;
    }

    /** Before a call; {@code callee} is the frame plus the call site. */
    @Hidden public static void call(long callee, long header) {
        long room0 = 0, room1 = 0, room2 = 0;
        if (header == 0) return;
        setWord(header, wordOf(callee));
    }

    /** After a call, and at the start of an exception handler: no call site. */
    @Hidden public static void restore(long header, long frame) {
        long room0 = 0, room1 = 0, room2 = 0;
        if (header == 0) return;
        setWord(header, (frame & DEPTH) + DEPTH_ONE);
    }

    /** Before a return. */
    @Hidden public static void exit(long header, long frame) {
        long room0 = 0, room1 = 0, room2 = 0;
        if (header == 0) return;
        setWord(header, frame);
    }

    /**
     * An exception ends the frame of a constructor, and with it those of the constructors that called it by super() or
     * this(): no handler may cover that call.
     */
    @DontInline
    @Hidden public static void exitConstructor(long header, long frame) {
        if (header != 0) setWord(header, CopseNative.wordBehindConstructors(header, frame));
    }

    /** The same, told to the agent as unwind() does. */
    @DontInline
    @Hidden public static void unwindConstructor(long header, long frame) {
        if (header == 0) return;
        long word = CopseNative.wordBehindConstructors(header, frame);
        setWord(header, word);
        CopseThread.throwsAgain(header, word);
    }

    /** Before the exception that ends a frame is thrown again: that throw is not the program's. */
    @Hidden public static void unwind(long header, long frame) {
        long room0 = 0, room1 = 0, room2 = 0;
        if (header == 0) return;
        setWord(header, frame);
        CopseThread.throwsAgain(header, frame); // last: see probed_throws.cpp
    }

    /** After new (CopseAllocations, as the two below; here, because loaders are asked for this class alone). */
    @DontInline
    @Hidden public static void allocatedIn(long header, long frame, int type) {
        CopseAllocations.allocatedInPacket(header, frame, type);
    }

    /** After newarray and anewarray. */
    @DontInline
    @Hidden public static void allocatedArrayIn(int length, long header, long frame, int type, int layout) {
        CopseAllocations.allocatedArrayInPacket(length, header, frame, type, layout);
    }

    /** After multianewarray. */
    @DontInline
    @Hidden public static void allocatedArraysIn(Object array, long header, long frame, int type, int dimensions) {
        CopseAllocations.allocatedArraysInPacket(array, header, frame, type, dimensions);
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
    @Hidden public static void count(long callee, long header, int method) {
        // A frame from before start() may make the thread's first recorded call.
        if (header == 0) header = header();
        if (header == 0) return;
        long cursor = unsafe.getLong(null, header);
        if ((cursor & packetMask) == 0) {
            nextPacket(header);
            cursor = unsafe.getLong(null, header);
        }
        unsafe.putLong(null, cursor, wordOf(callee) | method);
        unsafe.putLong(null, header, cursor + 8);
    }

    /** A call of a native method: what it calls back hangs under it. restore() follows the call. */
    @Hidden public static void enterNative(long callee, long header, int method) {
        count(callee, header, method);
        if (header == 0) return;
        setWord(header, (callee & DEPTH) + 2 * DEPTH_ONE);
    }

    /**
     * Enters a native method; called by its trampoline (src/agent/jvm/hook/native_probes.h), which also leaves it.
     * Returns the word from before the call, -1 if the call is not recorded. Packets need neither place nor mark.
     */
    @Hidden static long beginNative(int method, long place, boolean isMarked) {
        long header = header();
        return header == 0 ? -1 : enter(header, method);
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
