package java.lang;

import copse.CopseNative;
import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.Hidden;
import jdk.internal.vm.annotation.Stable;

/**
 * Probes that instrumented methods call when packets are recorded and ids are kept at once: the work of
 * CopseProbe and CopseIds, with both words in one method. No method is called between the two stores. Wherever
 * compiled code enters a method, inlined ones too, the JVM may find its caller worth compiling better, and then
 * asks the caller's class loader for the types in the caller's signature. That loader may be recorded, and must
 * not see one word from before and one from after.
 *
 * Also puts a frame's id word into the packet (src/base/id_word.h).
 */
public final class CopseIdWords {
    private CopseIdWords() {}

    private static final int WORD = 8;          // thread_header.h, as below
    private static final int ID_WORD = 48;
    private static final int UNTIL_ID_WORD = 56;
    private static final int UNTIL_STACK = 64;
    private static final long DEPTH_ONE = 1L << 40;
    private static final long DEPTH = -DEPTH_ONE;
    private static final int SITE_SHIFT = 24;
    private static final long DEEPEST_STACK = DEPTH_ONE << 14; // a walk costs as much as its frames
    private static final long UPPER = 0xFE_0000;
    private static final long LOWER = 0xFF_0000;

    /* Written once by start(); the JIT treats non-zero values as constants. */
    @Stable private static Unsafe unsafe;
    @Stable private static long packetMask;
    @Stable private static long checkEvery;
    @Stable private static long stackEvery; // id words left; 0: none is compared with the stack

    /** Called once by the agent, before CopseThread.start(). */
    @Hidden static void start(long packetBytes, long entriesPerIdWord, long idWordsPerStack) {
        unsafe = Unsafe.getUnsafe();
        packetMask = packetBytes - 1;
        checkEvery = entriesPerIdWord;
        stackEvery = idWordsPerStack;
    }

    /** Before anything of an entry, so that nothing is left to be resolved between its probes. */
    @Hidden public static void resolve() {}

    /** Entry of a method, with its id word; the result is its frame's word of calls. */
    @Hidden public static long enter(long header, long idFrame, int method) {
        if (header == 0) return 0;
        long cursor = unsafe.getLong(null, header);
        if ((cursor & packetMask) == 0) {
            CopseNative.nextPacket(header);
            cursor = unsafe.getLong(null, header);
        }
        long word = unsafe.getLong(null, header + WORD);
        unsafe.putLong(null, cursor, word | method);
        unsafe.putLong(null, header, cursor + 8);
        unsafe.putLong(null, header + WORD, (word & DEPTH) + DEPTH_ONE);
        unsafe.putLong(null, header + ID_WORD, idFrame);
        return word;
    }

    /** Before a call. */
    @Hidden public static void call(long header, long frame, long idFrame, int site, int idSite) {
        if (header == 0) return;
        unsafe.putLong(null, header + WORD, ((frame & DEPTH) + DEPTH_ONE) | (long) site << SITE_SHIFT);
        unsafe.putLong(null, header + ID_WORD, idFrame + idSite);
    }

    /** The same where id words are mixed. */
    @Hidden public static void call(long header, long frame, long idFrame, int site, long idSite) {
        if (header == 0) return;
        unsafe.putLong(null, header + WORD, ((frame & DEPTH) + DEPTH_ONE) | (long) site << SITE_SHIFT);
        unsafe.putLong(null, header + ID_WORD, idFrame + idSite);
    }

    /** A call of a method that has no probe of its own, with its id word. restore() follows the call. */
    @Hidden public static void enterCallee(long idCallee, long header, long frame, int site, int method) {
        if (header == 0) {
            CopseProbe.enterNative(frame + site, header, method);
            return;
        }
        long cursor = unsafe.getLong(null, header);
        if ((cursor & packetMask) == 0) {
            CopseNative.nextPacket(header);
            cursor = unsafe.getLong(null, header);
        }
        long word = ((frame & DEPTH) + DEPTH_ONE) | (long) site << SITE_SHIFT;
        unsafe.putLong(null, cursor, word | method);
        unsafe.putLong(null, header, cursor + 8);
        unsafe.putLong(null, header + WORD, (word & DEPTH) + DEPTH_ONE);
        unsafe.putLong(null, header + ID_WORD, idCallee);
    }

    /** After a call, and at the start of an exception handler: no call site. */
    @Hidden public static void restore(long header, long frame, long idFrame) {
        if (header == 0) return;
        unsafe.putLong(null, header + WORD, (frame & DEPTH) + DEPTH_ONE);
        unsafe.putLong(null, header + ID_WORD, idFrame);
    }

    /** Before a return: the words of the entry. */
    @Hidden public static void exit(long header, long frame, long idBefore) {
        if (header == 0) return;
        unsafe.putLong(null, header + WORD, frame);
        unsafe.putLong(null, header + ID_WORD, idBefore);
    }

    /** Leaves the id word of a marked method behind its entry when one is due. A thread's first one counts. */
    @Hidden public static void leave(long header, long frame, long idFrame) {
        if (header == 0) return;
        if (isDue(header)) putIdWord(header, (frame & DEPTH) + DEPTH_ONE, idFrame);
    }

    /** The same behind enterCallee(). */
    @Hidden public static void leaveCallee(long idCallee, long header, long frame) {
        if (header == 0) return;
        if (isDue(header)) putIdWord(header, (frame & DEPTH) + 2 * DEPTH_ONE, idCallee);
    }

    @Hidden private static boolean isDue(long header) {
        long left = unsafe.getLong(null, header + UNTIL_ID_WORD);
        unsafe.putLong(null, header + UNTIL_ID_WORD, left != 0 ? left - 1 : checkEvery - 1);
        return left == 0;
    }

    /** Puts the id word of a frame at a depth into the packet. No method is called between the halves. */
    @Hidden private static void putIdWord(long header, long depth, long word) {
        long cursor = unsafe.getLong(null, header);
        if ((cursor & packetMask) == 0) {
            CopseNative.nextPacket(header);
            cursor = unsafe.getLong(null, header);
        }
        unsafe.putLong(null, cursor, depth | UPPER | (word >>> 32 & 0xFFFF) << SITE_SHIFT | word >>> 48);
        cursor += 8;
        unsafe.putLong(null, header, cursor);
        if ((cursor & packetMask) == 0) {
            CopseNative.nextPacket(header);
            cursor = unsafe.getLong(null, header);
        }
        unsafe.putLong(null, cursor, depth | LOWER | (word & 0xFFFF) << SITE_SHIFT | word >>> 16 & 0xFFFF);
        unsafe.putLong(null, header, cursor + 8);
        if (stackEvery == 0) return;
        long left = unsafe.getLong(null, header + UNTIL_STACK);
        unsafe.putLong(null, header + UNTIL_STACK, left != 0 ? left - 1 : stackEvery - 1);
        if (left == 0 && depth <= DEEPEST_STACK) CopseNative.compareWithStack(header, word);
    }

    /**
     * Enters a native method; called by its trampoline (src/agent/jvm/hook/native_probes.h), which also leaves it.
     * Returns the word of calls from before the call, -1 if the call is not recorded.
     */
    @Hidden static long beginNative(int method, long place, boolean isMarked) {
        long header = CopseThread.header();
        if (header == 0) return -1;
        long idFrame = CopseIds.frameOfNative(CopseIds.wordIn(header), place);
        long frame = enter(header, idFrame, method);
        if (isMarked) leave(header, frame, idFrame);
        return frame;
    }
}
