// Classes as compilers and frameworks make them by now: hidden classes, lambdas, proxies, method handles,
// records, sealed types, nestmates, interfaces with private and static methods, string switches, indy
// concatenation.
import java.io.InputStream;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.function.IntBinaryOperator;
import java.util.function.IntFunction;
import java.util.function.IntUnaryOperator;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

public class Modern {
    static int sum;
    static int touch(int n) { sum += n; return n; }

    sealed interface Shape permits Disc, Box {
        int area();
        default int twice() { return helped(area()) + helped(area()); }
        private int helped(int n) { return plain(n); }
        static int plain(int n) { return touch(n); }
    }
    record Disc(int radius) implements Shape {
        Disc {
            if (radius < 0) throw new IllegalArgumentException("radius " + checked(radius));
        }
        private static int checked(int n) { return touch(n); }
        public int area() { return touch(3 * radius * radius); }
    }
    record Box(int a, int b) implements Shape {
        public int area() { return touch(a * b); }
    }
    enum Colour {
        RED { @Override int code() { return touch(1); } },
        GREEN { @Override int code() { return touch(2); } };
        abstract int code();
        static int of(Colour colour) {
            return switch (colour) { case RED -> touch(10) + colour.code(); case GREEN -> touch(20) + colour.code(); };
        }
    }
    /** Nestmates use each other's private parts without a bridge. */
    static class Nest {
        private int secret(int n) { return touch(n) + deeper().inside(n); }
        private Deeper deeper() { return new Deeper(); }
        class Deeper { private int inside(int n) { return touch(n); } }
    }
    /** Defined once more as a hidden class. */
    public static class Hidden implements IntUnaryOperator {
        public int applyAsInt(int n) { return touch(n) + Hidden.half(n); }
        static int half(int n) { return n / 2; }
    }

    static int text(String word) {
        return switch (word) { case "one" -> touch(1); case "two" -> touch(2); default -> touch(word.length()); };
    }
    static int variadic(int... all) {
        int total = 0;
        for (int n : all) total += touch(n);
        return total;
    }
    int member(int n) { return touch(n) + 1; }
    private volatile int field = touch(4);

    static int handles(int n) throws Throwable {
        MethodHandles.Lookup lookup = MethodHandles.lookup();
        MethodHandle plain = lookup.findStatic(Modern.class, "touch", MethodType.methodType(int.class, int.class));
        MethodHandle member = lookup.findVirtual(Modern.class, "member", MethodType.methodType(int.class, int.class));
        MethodHandle variadic = lookup.findStatic(Modern.class, "variadic", MethodType.methodType(int.class, int[].class));
        MethodHandle make = lookup.findConstructor(Modern.class, MethodType.methodType(void.class));
        Modern modern = (Modern) make.invokeExact();
        int total = (int) plain.invokeExact(n) + (int) member.bindTo(modern).invokeExact(n);
        total += (int) variadic.asCollector(int[].class, 3).invokeExact(n, 2, 3) + (int) variadic.invoke(n, n);
        MethodHandle chained = MethodHandles.filterReturnValue(plain, plain);
        MethodHandle guarded = MethodHandles.catchException(
            MethodHandles.dropArguments(lookup.findStatic(Modern.class, "fails", MethodType.methodType(int.class)), 0, int.class),
            IllegalStateException.class, MethodHandles.dropArguments(plain, 0, IllegalStateException.class));
        VarHandle field = lookup.findVarHandle(Modern.class, "field", int.class);
        return total + (int) chained.invokeExact(n) + (int) guarded.invokeExact(n) + (int) field.getAndAdd(modern, touch(1));
    }
    static int fails() {
        touch(1);
        throw new IllegalStateException();
    }

    static IntUnaryOperator hidden() throws Exception {
        try (InputStream in = Modern.class.getResourceAsStream("Modern$Hidden.class")) {
            Class<?> type = MethodHandles.lookup().defineHiddenClass(in.readAllBytes(), true, MethodHandles.Lookup.ClassOption.NESTMATE)
                .lookupClass();
            return (IntUnaryOperator) type.getDeclaredConstructor().newInstance();
        }
    }
    static IntBinaryOperator proxy() {
        InvocationHandler handler = (self, method, args) -> touch((Integer) args[0]) + touch((Integer) args[1]);
        return (IntBinaryOperator) Proxy.newProxyInstance(Modern.class.getClassLoader(), new Class<?>[] {IntBinaryOperator.class}, handler);
    }
    static String lambdas(int n) {
        int captured = touch(n);
        Supplier<String> joined = () -> "n " + n + ' ' + touch(captured) + text("one");
        IntFunction<Nest> nests = i -> new Nest();
        return joined.get() + nests.apply(n).secret(n) + List.of(3, 1, 2).stream().sorted((a, b) -> touch(a) - b).toList();
    }
    static Map<Boolean, Long> streams() {
        return IntStream.range(0, 50).boxed().collect(Collectors.partitioningBy(n -> touch(n) % 2 == 0, Collectors.counting()));
    }

    public static void main(String[] args) throws Throwable {
        IntUnaryOperator hidden = hidden();
        IntBinaryOperator proxy = proxy();
        int total = 0;
        for (int i = 0; i < 60; i++) {
            Shape[] shapes = {new Disc(i % 4), new Box(i % 3, 2)};
            for (Shape shape : shapes) total += shape.twice() + (shape instanceof Disc disc ? disc.radius() : 0);
            try {
                new Disc(-1);
            } catch (IllegalArgumentException expected) {
                total += expected.getMessage().length();
            }
            total += Colour.of(i % 2 == 0 ? Colour.RED : Colour.GREEN) + text("two") + text("more");
            total += hidden.applyAsInt(i) + proxy.applyAsInt(i, 2) + handles(i % 7) + lambdas(i % 5).length();
            total += new Disc(2).equals(shapes[0]) ? shapes[0].hashCode() : shapes[1].toString().length();
        }
        System.out.println("modern " + total + " " + sum + " " + streams());
    }
}
