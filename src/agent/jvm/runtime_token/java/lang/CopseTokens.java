package java.lang;

import copse.CopseNative;
import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.ForceInline;
import jdk.internal.vm.annotation.Stable;

/**
 * What instrumented methods call behind their entry when packets are recorded and ids are kept at once:
 * it puts the frame's id word into the packet, behind the entry's own record (src/base/token_record.h).
 */
public final class CopseTokens {
    private CopseTokens() {}

    private static final int UNTIL_TOKEN = 56;  // thread_header.h, as below
    private static final int UNTIL_STACK = 64;
    private static final long DEPTH_ONE = 1L << 40;
    private static final long DEPTH = -DEPTH_ONE;
    private static final int SITE_SHIFT = 24;
    private static final long UPPER = 0xFE_0000;
    private static final long LOWER = 0xFF_0000;

    /* Written once by start(); the JIT treats non-zero values as constants. */
    @Stable private static Unsafe unsafe;
    @Stable private static long packetMask;
    @Stable private static long tokenEvery;
    @Stable private static long stackEvery; // tokens; 0: none is compared with the stack

    /** Called once by the agent, before CopseThread.start(). */
    static void start(long packetBytes, long entriesPerToken, long tokensPerStack) {
        unsafe = Unsafe.getUnsafe();
        packetMask = packetBytes - 1;
        tokenEvery = entriesPerToken;
        stackEvery = tokensPerStack;
    }

    /** Before anything of an entry, so that nothing is left to be resolved between its probes. */
    @ForceInline
    public static void resolve() {}

    /** The entry of a marked method, whose call record is the thread's last. A thread's first one counts. */
    @ForceInline
    public static void token(long header, long frame) {
        if (header == 0) return;
        long left = unsafe.getLong(null, header + UNTIL_TOKEN);
        if (left != 0) {
            unsafe.putLong(null, header + UNTIL_TOKEN, left - 1);
        } else {
            unsafe.putLong(null, header + UNTIL_TOKEN, tokenEvery - 1);
            leave(header, frame);
        }
    }

    private static void leave(long header, long frame) {
        long depth = (unsafe.getLong(null, unsafe.getLong(null, header) - 8) & DEPTH) + DEPTH_ONE;
        append(header, depth | UPPER | half(frame >>> 32));
        append(header, depth | LOWER | half(frame));
        if (stackEvery == 0) return;
        long left = unsafe.getLong(null, header + UNTIL_STACK);
        if (left != 0) {
            unsafe.putLong(null, header + UNTIL_STACK, left - 1);
        } else {
            unsafe.putLong(null, header + UNTIL_STACK, stackEvery - 1);
            CopseNative.compareWithStack(header, frame);
        }
    }

    private static long half(long word) {
        return (word & 0xFFFF) << SITE_SHIFT | word >>> 16 & 0xFFFF;
    }

    private static void append(long header, long record) {
        long cursor = unsafe.getLong(null, header);
        if ((cursor & packetMask) == 0) {
            CopseNative.nextPacket(header);
            cursor = unsafe.getLong(null, header);
        }
        unsafe.putLong(null, cursor, record);
        unsafe.putLong(null, header, cursor + 8);
    }
}
