package demo.jmh_generated;

import demo.Orders;

/** Calls benchmarks as JMH's generated classes do. */
public class Stubs {
    static final Orders ORDERS = new Orders();

    public static Runnable of(String benchmark) {
        switch (benchmark.substring(benchmark.lastIndexOf('.') + 1)) {
            case "total": return ORDERS::total;
            case "thrown": return ORDERS::thrown;
            case "ten": return ORDERS::ten;
            case "inherited": return ORDERS::inherited;
            case "group": return Stubs::group;
            default: return () -> {};
        }
    }

    static void group() {
        ORDERS.reader();
        ORDERS.writer();
    }
}
