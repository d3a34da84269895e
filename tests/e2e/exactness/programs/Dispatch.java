// Every way of dispatch the language has: interfaces, abstract classes, bridges, default, static and
// private interface methods, inner and anonymous classes, enums, records, varargs, constructors.
// e2e: jdk-below Dispatch.measured
import java.util.function.IntSupplier;

public class Dispatch {
    interface Shape extends Comparable<Shape> {
        int area();
        default int twice() { return 2 * helper(this); }
        private int helper(Shape s) { return s.area() + unit(); }
        static int unit() { return 1; }
        @Override default int compareTo(Shape other) { return area() - other.area(); }
    }
    abstract static class Base implements Shape {
        final int side;
        Base(int side) { this.side = check(side); }
        Base() { this(3); }
        static int check(int n) { return Math.max(n, 1); }
        int scaled(int by) { return area() * by; }
        abstract Base copy();
    }
    static class Square extends Base {
        Square(int side) { super(side); }
        Square() { super(); }
        @Override public int area() { return side * side; }
        @Override Square copy() { return new Square(side); }
    }
    static final class Cube extends Square {
        { grow(); }
        int grown;
        Cube(int side) { super(side); }
        Cube() { this(2); }
        void grow() { grown++; }
        @Override public int area() { return 6 * super.area(); }
        @Override Cube copy() { return new Cube(side); }
        @Override public int twice() { return Base.class.cast(this).scaled(2) + super.twice(); }
    }
    record Point(int x, int y) implements Shape {
        Point { if (x < 0) x = -x; }
        Point(int both) { this(both, both); }
        @Override public int area() { return x() * y; }
    }
    enum Op {
        ADD { @Override int apply(int a, int b) { return a + b; } },
        MUL { @Override int apply(int a, int b) { return a * b; } },
        MAX { @Override int apply(int a, int b) { return pick(a, b); } };
        abstract int apply(int a, int b);
        int pick(int a, int b) { return a > b ? a : b; }
    }
    class Inner {
        int value = outer(1);
        class Innermost { int sum() { return value + outer(2); } }
        int sum() { return new Innermost().sum(); }
    }
    int state = 5;
    int outer(int n) { return state + n; }
    private int secret() { return state; }
    IntSupplier anonymous(int n) {
        return new IntSupplier() {
            int calls;
            @Override public int getAsInt() { return ++calls + n + secret(); }
        };
    }
    static int total(int... numbers) {
        int sum = 0;
        for (int n : numbers) sum += n;
        return sum;
    }
    static int named(String name) {
        switch (name) {
            case "one": return total(1);
            case "two": return total(1, 1);
            default: return total();
        }
    }
    static String text(Shape s, int n) { return s.area() + ":" + n + new Point(n) + '.'; }
    static <T extends Comparable<T>> T largest(T a, T b) { return a.compareTo(b) >= 0 ? a : b; }

    static int work() {
        int sum = 0;
        Shape[] shapes = {new Square(2), new Cube(), new Point(3, 4), new Cube(3), new Square()};
        Dispatch dispatch = new Dispatch();
        for (int i = 0; i < 500; i++) {
            Shape s = shapes[i % shapes.length];
            sum += s.area() + s.twice() + largest(s, shapes[(i + 1) % 5]).area();
            if (s instanceof Base) sum += ((Base) s).copy().scaled(i & 3);
            for (Op op : Op.values()) sum += op.apply(i & 7, 3);
            sum += Op.valueOf("ADD").apply(1, 2);
            sum += dispatch.new Inner().sum() + dispatch.anonymous(i & 1).getAsInt();
            sum += named((i & 1) == 0 ? "one" : "two") + total(1, 2, i);
            sum += text(s, i & 15).length();
        }
        return sum;
    }

    /** Called after rehearsals: nothing is loaded or linked below it any more. */
    static int measured() { return work(); }

    public static void main(String[] args) {
        System.out.println("dispatch " + work() + " " + work() + " " + measured());
    }
}
