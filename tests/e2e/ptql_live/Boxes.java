import java.math.BigDecimal;
import java.util.Objects;

/** Passes boxes and Strings as objects of every kind; with a word again and again until a line comes. */
public class Boxes {
    enum Drink { TEA }

    interface Sink<T> {
        void take(T value);
    }

    // take(Object), which the compiler adds, calls take(Integer).
    static class Numbers implements Sink<Integer> {
        @Override
        public void take(Integer value) {}
    }

    static class Cell<T> {
        T value;

        void put(T value) {
            this.value = value;
        }

        T get() {
            return value;
        }
    }

    static Object any(Object value) { return value; }
    static void number(Number value) {}
    static void comparable(Comparable<?> value) {}
    static void chars(CharSequence value) {}
    static <T> T generic(T value) { return value; }
    static int primitive(int value) { return value; }
    static void many(Object first, long wide, Object second) {}
    static void keyed(Object key) {}
    static Number halved(int value) { return value % 2 == 0 ? (Number) (value / 2) : (Number) (value / 2.0); }

    static void throwing(Object value) {
        throw new IllegalStateException(value.toString());
    }

    static void run() {
        Object[] values = {true, 'x', (byte) -3, (short) -300, 5, 1L << 40, 1.5f, -0.1, "tea", null, new int[1],
                           new BigDecimal(7), new StringBuilder("coffee"), Drink.TEA, Double.NaN};
        for (Object value : values) any(value);
        number(-0.0);
        number(new BigDecimal(7));
        comparable('y');
        comparable("tee");
        chars("milk");
        chars(new StringBuilder("milk"));
        generic(5L);
        generic("water");
        Cell<Object> cell = new Cell<>();
        cell.put(2.5f);
        cell.get();
        Sink<Integer> sink = new Numbers();
        sink.take(77);
        many(6, 7, "eight");
        try {
            throwing(9);
        } catch (IllegalStateException expected) {
            halved(9);
        }
        halved(8);
        Integer thousand = Integer.valueOf(1000);
        keyed(thousand);
        keyed(thousand);
        keyed(Integer.valueOf(1000));
        primitive(thousand);
        Boolean.TRUE.compareTo(false);
        Character.valueOf('q').compareTo('r');
        Byte.valueOf((byte) -3).compareTo((byte) 4);
        Short.valueOf((short) -300).compareTo((short) 4);
        Integer.valueOf(-12345).compareTo(4);
        Long.valueOf(-123456789012L).compareTo(4L);
        Float.valueOf(-1.25f).compareTo(4f);
        Double.valueOf(-1.125).compareTo(4.0);
        Objects.requireNonNull("only ours".concat("!"));
    }

    public static void main(String[] args) throws Exception {
        System.out.println("begun");
        do {
            run();
        } while (args.length > 0 && System.in.available() == 0);
        System.out.println("went well");
    }
}
