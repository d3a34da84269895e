package java.lang;

import copse.CopseNative;
import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.Hidden;
import jdk.internal.vm.annotation.Stable;

/**
 * Probes that instrumented methods call when a thread's word is its context id and nothing is counted.
 *
 * A frame keeps the word it was entered with, and its own word: 0 in a frame from before the start. A call
 * adds what stands for its site to the frame's word; every other probe but the entry's is one store of what
 * the frame has. CopseWord says where the word is. Operands that are ints are numbers of places, looked up in
 * tables that src/encoders/ids/id_layout.h describes; longs are constants to be mixed in (probabilistic calling
 * context).
 *
 * For unused locals see record/.
 */
public final class CopseIds {
    private CopseIds() {}

    private static final int CODE_SHIFT = 24;    // id_layout.h, like the next constants
    private static final int PIECE_SHIFT = 40;
    private static final long NUMBER = (1L << CODE_SHIFT) - 1;
    private static final long CODE = (1L << PIECE_SHIFT) - 1 & ~NUMBER;
    private static final long PIECE = -1L << PIECE_SHIFT;
    private static final int TRANSITION_SHIFT = 3;
    private static final int TRANSITION_LOG = 18;
    private static final long TRANSITION_MULTIPLIER = 0x4F1B_BCDDL;
    private static final long ROOT_NUMBERS = 1L << 16;
    private static final int LOST = 0xFF_0000;
    private static final int SLOT_SHIFT = 2;
    private static final int SLOTS = 4;          // of a site
    private static final int CHANGES = 2;
    private static final int CHANGE_SHIFT = 3;
    private static final int SITE_SHIFT = 4;
    private static final long HOLDS_TRANSITIONS = 1;
    private static final long HOLDS_RADICES = 3;
    private static final long HOLDS_EPOCH_RECORDS = 4;
    private static final long CODES = 1L << (PIECE_SHIFT - CODE_SHIFT);
    private static final long STARTS_PIECE = 1L << 63;
    private static final int MAPPING_SHIFT = 5;
    private static final int FIRST = 0;
    private static final int LENGTH = 8;
    private static final int CHANGE = 16;
    private static final int CALLEE = 24;
    private static final int SITE = 28;
    private static final long MULTIPLIER = 0x9E37_79B9_7F4A_7C15L;
    private static final int RECENT_LOG = 20;
    private static final int PIECE_SLOT_SHIFT = 4;
    private static final int PIECE_FRAME = 8;
    private static final long TABLE_LOG = 63;
    private static final long UNSIGNED = 0xFFFF_FFFFL;

    /* Written once by start(); the JIT treats non-zero values as constants. */
    @Stable private static Unsafe unsafe;
    @Stable private static long slots;
    @Stable private static long recent;
    @Stable private static long mappings;
    @Stable private static long slotKind;
    @Stable private static int firstWords; // one of the next two

    private static final int WORDS_ARE_SET = 1;
    private static final int WORDS_ARE_ASKED_FOR = 2; // of threads that lived before the recording

    /** Called once by the agent, before CopseWord.start(). */
    @Hidden static void start(long slotsAddress, long mappingsAddress, long asksForFirstWords) {
        unsafe = Unsafe.getUnsafe();
        slots = slotsAddress;
        recent = slotsAddress + (1L << (CODE_SHIFT + SITE_SHIFT)); // behind the slots
        mappings = mappingsAddress;
        slotKind = mappingsAddress == 0 ? 0 : unsafe.getLong(null, mappingsAddress + CHANGE);
        firstWords = asksForFirstWords != 0 ? WORDS_ARE_ASKED_FOR : WORDS_ARE_SET;
    }

    /** Where the running method was called from. */
    @Hidden public static long word() {
        long room0 = 0, room1 = 0, room2 = 0, room3 = 0;
        if (!CopseWord.isStarted()) return 0;
        long word = CopseWord.of(Thread.currentThread());
        return firstWords == WORDS_ARE_SET || (word & -ROOT_NUMBERS) != 0 ? word : firstWord();
    }

    /** A thread that lived before the recording gets its header, and its clock, with its first call. */
    @DontInline
    @Hidden private static long firstWord() {
        long word = wordIn(CopseThread.header());
        CopseWord.set(Thread.currentThread(), word);
        return word;
    }

    /** Before anything of an entry that keeps two words, so that nothing is left to be resolved between its probes. */
    @Hidden public static void resolve() {}

    /** What word() gives, by the thread's header, for probes that have it. */
    @Hidden public static long wordIn(long header) {
        return CopseWord.inHeader(header);
    }

    /** Returns the address of a call's slot, the same in all pieces: where slots hold transitions. */
    @Hidden private static long transitionSlotOf(long word, int callee) {
        long hash = (word << CODE_SHIFT) * TRANSITION_MULTIPLIER >>> 64 - TRANSITION_LOG;
        return slots + ((hash ^ callee & (1 << TRANSITION_LOG) - 1) << TRANSITION_SHIFT);
    }

    /** Returns the callee's code by a transition, or the transition of a code; no code by that of another call. */
    @Hidden private static long exchanged(long code, long word, int callee) {
        return word << CODE_SHIFT ^ callee ^ LOST ^ code;
    }

    /** The address of the slot for calls of a callee from where a word stands: where slots hold mappings. */
    @Hidden private static long slotOf(long word, int callee) {
        return slots + ((word & NUMBER) << SITE_SHIFT) + ((callee & SLOTS - 1) << SLOT_SHIFT);
    }

    /** The same where slots hold changes. */
    @Hidden private static long changeSlotOf(long word, int callee) {
        return slots + ((word & NUMBER) << SITE_SHIFT) + ((callee & CHANGES - 1) << CHANGE_SHIFT);
    }

    /** The frame word of a callee by its change; 0 when a radix leaves no room for its code. */
    @Hidden private static long frameBy(long word, long change) {
        if (slotKind != HOLDS_RADICES) return (word & ~NUMBER) + change;
        long code = ((word & CODE) >>> CODE_SHIFT) + 1;
        long next = code * (change >>> PIECE_SHIFT) + ((change & CODE) >>> CODE_SHIFT) - 1;
        if (next >= CODES) return 0;
        return word >>> PIECE_SHIFT << PIECE_SHIFT | next << CODE_SHIFT | change & NUMBER;
    }

    /** Whether a word's code, shifted, is one of those a mapping is about: one comparison of unsigned longs. */
    @Hidden private static boolean covers(long mapping, long word) {
        long code = word & (slotKind == HOLDS_EPOCH_RECORDS ? ~NUMBER : CODE);
        return code - unsafe.getLong(null, mapping + FIRST) + Long.MIN_VALUE
            < unsafe.getLong(null, mapping + LENGTH) + Long.MIN_VALUE;
    }

    /** The frame word by a mapping that other calls from this place found, 0 when there is none. */
    @Hidden private static long byRecent(long word, int callee) {
        long inPiece = word & (CODE | NUMBER);
        long hash = (inPiece ^ ((long) callee << 40)) * MULTIPLIER;
        long pair = recent + ((hash >>> (64 - RECENT_LOG)) << (SLOT_SHIFT + 1));
        for (long at = pair; at <= pair + (1 << SLOT_SHIFT); at += 1 << SLOT_SHIFT) {
            int mappingNumber = unsafe.getInt(null, at);
            long mapping = mappings + ((mappingNumber & UNSIGNED) << MAPPING_SHIFT);
            if (unsafe.getInt(null, mapping + CALLEE) == callee
                && unsafe.getInt(null, mapping + SITE) == (int) (word & NUMBER)
                && covers(mapping, word)) {
                long change = unsafe.getLong(null, mapping + CHANGE);
                long frame = frameBy(word, change);
                if (slotKind == HOLDS_EPOCH_RECORDS) {
                    unsafe.putInt(null, slotOf(word, callee), mappingNumber);
                } else if (slotKind != HOLDS_TRANSITIONS) {
                    unsafe.putLong(null, changeSlotOf(word, callee), change);
                }
                return frame;
            }
        }
        return 0;
    }

    /** The frame word by the piece that the call starts, or as it was translated; 0 when there is neither. */
    @Hidden private static long byPiece(long word, int callee) {
        long table = unsafe.getLongAcquire(null, mappings + FIRST);
        if (table == 0) return 0;
        int log = (int) (table & TABLE_LOG);
        long mask = (1L << log) - 1;
        long hash = (word ^ callee * MULTIPLIER) * MULTIPLIER;
        long index = (hash ^ hash >>> 32) * MULTIPLIER >>> (64 - log);
        for (long slot;; index = index + 1 & mask) {
            slot = (table & ~TABLE_LOG) + (index << PIECE_SLOT_SHIFT);
            long key = unsafe.getLongAcquire(null, slot);
            if (key == 0) return 0;
            if (key == ~word) {
                long frame = unsafe.getLong(null, slot + PIECE_FRAME);
                if ((frame & NUMBER) == callee) return frame;
            }
        }
    }

    /** The frame word of a method that its site's slot does not tell. */
    @Hidden private static long search(long word, int callee, boolean startsPieces) {
        long frame = startsPieces ? byPiece(word, callee) : byRecent(word, callee);
        if (frame == 0) frame = startsPieces ? byRecent(word, callee) : byPiece(word, callee);
        return frame != 0 ? frame : CopseNative.encode(word, callee);
    }

    /** Keeps in the call's slot what it does to its code, or a hint that it starts a piece. */
    @DontInline
    @Hidden private static long searchBesideTransition(long word, int callee, long transition) {
        long hint = exchanged(0, word, LOST);
        long frame = search(word, callee, transition == hint);
        boolean staysInPiece = ((frame ^ word) & PIECE) == 0 && (frame & NUMBER) == callee;
        long code = (frame & CODE) >>> CODE_SHIFT;
        unsafe.putLong(null, transitionSlotOf(word, callee), staysInPiece ? exchanged(code, word, callee) : hint);
        return frame;
    }

    @DontInline
    @Hidden private static long searchBesideMapping(long word, int callee, long mapping) {
        return search(word, callee, unsafe.getInt(null, mapping + CALLEE) == callee
            && unsafe.getLong(null, mapping + LENGTH) == 0);
    }

    @DontInline
    @Hidden private static long searchBesideChange(long word, int callee, long change) {
        return search(word, callee, (change & NUMBER) == callee);
    }

    @Hidden private static long frameOf(long word, int callee) {
        if (slotKind == HOLDS_TRANSITIONS) {
            long transition = unsafe.getLong(null, transitionSlotOf(word, callee));
            long exchanged = exchanged(transition, word, callee);
            long code = exchanged & CODES - 1;
            if (code != exchanged) return searchBesideTransition(word, callee, transition);
            return (word & PIECE | code << CODE_SHIFT) + callee;
        }
        if (slotKind == HOLDS_EPOCH_RECORDS) {
            long mapping = mappings
                + ((unsafe.getInt(null, slotOf(word, callee)) & UNSIGNED) << MAPPING_SHIFT);
            if (unsafe.getInt(null, mapping + CALLEE) != callee || !covers(mapping, word)) {
                return searchBesideMapping(word, callee, mapping);
            }
            return (word & ~NUMBER) + unsafe.getLong(null, mapping + CHANGE);
        }
        long change = unsafe.getLong(null, changeSlotOf(word, callee));
        if ((change & (STARTS_PIECE | NUMBER)) != callee) return searchBesideChange(word, callee, change);
        long frame = frameBy(word, change);
        return frame != 0 ? frame : searchBesideChange(word, callee, change);
    }

    @Hidden private static long frameOf(long before, long place) {
        return 3 * before + place;
    }

    @Hidden private static long entered(long frame) {
        CopseWord.set(Thread.currentThread(), frame);
        return frame;
    }

    /** Entry of a method, called where a word stands; the result is its frame's word. */
    @Hidden public static long enter(long before, int place) {
        long room0 = 0, room1 = 0, room2 = 0, room3 = 0;
        return CopseWord.isStarted() ? entered(frameOf(before, place)) : 0;
    }

    /** The same where words are mixed. */
    @Hidden public static long enter(long before, long place) {
        long room0 = 0, room1 = 0, room2 = 0, room3 = 0;
        return CopseWord.isStarted() ? entered(frameOf(before, place)) : 0;
    }

    /** What enter() gives of a method that is called from a site, 0 for none, of a frame; stores nothing. */
    @Hidden public static long frameBehind(long header, long frame, int site, int place) {
        return header == 0 ? 0 : frameOf(frame + site, place);
    }

    /** The same where words are mixed. */
    @Hidden public static long frameBehind(long header, long frame, long site, long place) {
        return header == 0 ? 0 : frameOf(frame + site, place);
    }

    /** Before a call from a site. A frame from before the start makes its calls from ROOT. */
    @Hidden public static void call(long frame, int site) {
        long room0 = 0, room1 = 0, room2 = 0;
        if (CopseWord.isStarted()) CopseWord.set(Thread.currentThread(), frame + site);
    }

    /** The same where words are mixed. */
    @Hidden public static void call(long frame, long site) {
        long room0 = 0, room1 = 0, room2 = 0;
        if (frame != 0) CopseWord.set(Thread.currentThread(), frame + site);
    }

    /** After a call, and at the start of an exception handler: no call site. */
    @Hidden public static void restore(long frame) {
        long room0 = 0, room1 = 0, room2 = 0, room3 = 0;
        if (CopseWord.isStarted()) CopseWord.set(Thread.currentThread(), frame);
    }

    /** Before a return: the word of the entry. */
    @Hidden public static void exit(long before) {
        long room0 = 0, room1 = 0, room2 = 0, room3 = 0;
        if (CopseWord.isStarted()) CopseWord.set(Thread.currentThread(), before);
    }

    /** Before the exception that ends a frame is thrown again: that throw is not the program's. */
    @Hidden public static void unwind(long before) {
        if (!CopseWord.isStarted()) return;
        CopseThread.throwsAgain(CopseThread.header());
        CopseWord.set(Thread.currentThread(), before);
    }

    /**
     * A call of a native method: what it calls back hangs under it. The result is its frame's word; restore()
     * follows the call.
     */
    @Hidden public static long enterNative(long frame, int site, int place) {
        return frame == 0 ? 0 : entered(frameOf(frame + site, place));
    }

    /** The same where words are mixed. */
    @Hidden public static long enterNative(long frame, long site, long place) {
        return frame == 0 ? 0 : entered(frameOf(frame + site, place));
    }

    /** After new (CopseAllocations, as the two below; here, because loaders are asked for this class alone). */
    @Hidden public static void allocated(long frame, int site, int type) {
        CopseAllocations.allocated(frame, site, type);
    }

    /** After newarray and anewarray. */
    @Hidden public static void allocatedArray(int length, long frame, int site, int layout) {
        CopseAllocations.allocatedArray(length, frame, site, layout);
    }

    /** After multianewarray. */
    @Hidden public static void allocatedArrays(Object array, long frame, int site, int dimensions) {
        CopseAllocations.allocatedArrays(array, frame, site, dimensions);
    }

    /** A context's id, for copse.Context.id(): 0 when there is none. */
    @Hidden public static long id(long frame) {
        long header = frame == 0 ? 0 : CopseThread.header();
        return header == 0 ? 0 : CopseNative.id(header, frame);
    }

    /**
     * Enters a native method; called by its trampoline (src/agent/jvm/hook/native_probes.h), which also leaves it.
     * Returns the word from before the call, -1 if the call is not recorded.
     */
    @Hidden static long beginNative(int method, long place, boolean isMarked) {
        if (!CopseWord.isStarted()) return -1;
        long before = word();
        long frame = frameOfNative(before, place);
        CopseWord.set(Thread.currentThread(), frame);
        if (isMarked) mark(frame);
        return before;
    }

    /** Returns the same as enter(), for either kind of place. */
    @Hidden static long frameOfNative(long before, long place) {
        return mappings == 0 ? frameOf(before, place) : frameOf(before, (int) place);
    }

    /** An entry of a method whose entries are events of interest. */
    @DontInline
    @Hidden public static void mark(long frame) {
        long header = frame == 0 ? 0 : CopseThread.header();
        if (header != 0) CopseNative.mark(header, frame);
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
