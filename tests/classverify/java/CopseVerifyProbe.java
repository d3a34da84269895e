package java.lang;

/** What the test probes call; see exercise_probes.h. */
public final class CopseVerifyProbe {
    private CopseVerifyProbe() {}

    public static long enter(int method) { return method; }
    public static void call(long base, int call) {}
    public static void after(long base, int seven) { if (seven != 7) throw new InternalError("int local"); }
    public static void exit(long base) {}
    public static void handler(long base) {}
    public static void hit(int method) {}
    public static void touch() {}

    public static void thrown(Object exception) {}
    public static void caught(Object exception) {}
    public static void passes(Object exception) {}

    public static void unwind(long base) {}

    public static void unwound() {}
}
