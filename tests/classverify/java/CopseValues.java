package java.lang;

/** Stands for the agent's class of that name, which src/probes/value_probes.h has called. */
public final class CopseValues {
    private CopseValues() {}

    public static void take(int parameter, int value) {}
    public static void take(int parameter, long value) {}
    public static void take(int parameter, float value) {}
    public static void take(int parameter, double value) {}
    public static void take(int parameter, Object value) {}
    public static long entered(int method) { return method; }
    public static long entered(Object receiver, int method) { return method; }
    public static void constructed(Object object, long invocation) {}
    public static void allocated(Object object) {}
    public static void returned(long invocation) {}
    public static void returned(int result, long invocation) {}
    public static void returned(long result, long invocation) {}
    public static void returned(float result, long invocation) {}
    public static void returned(double result, long invocation) {}
    public static void returned(Object result, long invocation) {}
    public static void thrown(Object exception, long invocation) {}
}
