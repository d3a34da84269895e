package copse;

/**
 * The probes' slow paths. A class of its own outside java.base, because registering natives on a
 * class of java.base makes the JVM print a warning.
 */
public final class CopseNative {
    private CopseNative() {}

    /** The address of the header of a thread that had none. Its packet has room. */
    public static native long attach(Thread thread);

    /** Hands over the full packet of a header and gives it an empty one. */
    public static native void nextPacket(long header);
}
