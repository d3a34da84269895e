import java.io.FileInputStream;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.math.BigDecimal;
import java.text.FieldPosition;
import java.text.SimpleDateFormat;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Date;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;

/** Right code in the forms that programs have: methods that call those of superclasses, that delegate, that are overloaded. */
public class Forms {
    // --- equals(), hashCode() and compareTo() as IDEs write them, three levels deep ---
    static class Thing implements Comparable<Thing> {
        final int id;
        Thing(int id) { this.id = id; }
        @Override public boolean equals(Object other) {
            if (this == other) return true;
            if (other == null || getClass() != other.getClass()) return false;
            return id == ((Thing) other).id;
        }
        @Override public int hashCode() { return Objects.hash(id); }
        @Override public int compareTo(Thing other) { return Integer.compare(id, other.id); }
    }

    static class Priced extends Thing {
        final int price;
        Priced(int id, int price) { super(id); this.price = price; }
        @Override public boolean equals(Object other) {
            if (this == other) return true;
            if (!super.equals(other)) return false;
            return price == ((Priced) other).price;
        }
        @Override public int hashCode() { return 31 * super.hashCode() + price; }
        @Override public int compareTo(Thing other) {
            int order = super.compareTo(other);
            return order != 0 ? order : Integer.compare(price, ((Priced) other).price);
        }
    }

    static class Tagged extends Priced {
        final String tag;
        Tagged(int id, int price, String tag) { super(id, price); this.tag = tag; }
        @Override public boolean equals(Object other) {
            if (this == other) return true;
            if (!super.equals(other)) return false;
            return tag.equals(((Tagged) other).tag);
        }
        @Override public int hashCode() { return 31 * super.hashCode() + tag.hashCode(); }
        @Override public int compareTo(Thing other) {
            int order = super.compareTo(other);
            return order != 0 ? order : tag.compareTo(((Tagged) other).tag);
        }
    }

    // Says the opposite of its superclass.
    static class Backward extends Tagged {
        Backward(int id, int price, String tag) { super(id, price, tag); }
        @Override public int compareTo(Thing other) { return -super.compareTo(other); }
    }

    // Has its superclass's answers, without methods of its own.
    static class Plain extends Tagged {
        Plain(int id, int price, String tag) { super(id, price, tag); }
    }

    // --- A raw Comparable, a generic one, and one whose compareTo() is an interface's ---
    @SuppressWarnings({"rawtypes", "unchecked"})
    static class Raw implements Comparable {
        final int key;
        Raw(int key) { this.key = key; }
        @Override public int compareTo(Object other) { return Integer.compare(key, ((Raw) other).key); }
    }

    static class RawPair extends Raw {
        final int second;
        RawPair(int key, int second) { super(key); this.second = second; }
        @Override public int compareTo(Object other) {
            int order = super.compareTo(other);
            return order != 0 ? order : Integer.compare(second, ((RawPair) other).second);
        }
    }

    abstract static class Ranked<T extends Ranked<T>> implements Comparable<T> {
        final int rank;
        Ranked(int rank) { this.rank = rank; }
        @Override public int compareTo(T other) { return Integer.compare(rank, other.rank); }
    }

    static class Player extends Ranked<Player> {
        final int age;
        Player(int rank, int age) { super(rank); this.age = age; }
        @Override public int compareTo(Player other) {
            int order = super.compareTo(other);
            return order != 0 ? order : Integer.compare(age, other.age);
        }
    }

    interface Ordered extends Comparable<Ordered> {
        int key();
        @Override default int compareTo(Ordered other) { return Integer.compare(key(), other.key()); }
    }

    static class Key implements Ordered {
        final int key;
        Key(int key) { this.key = key; }
        @Override public int key() { return key; }
    }

    static class LongKey extends Key {
        final int second;
        LongKey(int key, int second) { super(key); this.second = second; }
        @Override public int compareTo(Ordered other) {
            int order = super.compareTo(other);
            return order != 0 ? order : Integer.compare(second, ((LongKey) other).second);
        }
    }

    // --- Overloads that answer other questions ---
    static class Version implements Comparable<Version> {
        final int major;
        final int minor;
        Version(int major, int minor) { this.major = major; this.minor = minor; }
        @Override public int compareTo(Version other) {
            int order = compareTo(other, 1);
            return order != 0 ? order : compareTo(other, 2);
        }
        int compareTo(Version other, int part) {
            return part == 1 ? Integer.compare(major, other.major) : Integer.compare(minor, other.minor);
        }
        @Override public boolean equals(Object other) { return other instanceof Version && equals((Version) other, true); }
        boolean equals(Version other, boolean whole) { return major == other.major && (!whole || minor == other.minor); }
        @Override public int hashCode() { return hashCode(17); }
        int hashCode(int seed) { return (seed * 31 + major) * 31 + minor; }
    }

    // --- Wrappers and proxies that delegate, records, enums, a class of a library above ---
    static class Wrapper implements Comparable<Wrapper> {
        final Tagged inner;
        Wrapper(Tagged inner) { this.inner = inner; }
        @Override public boolean equals(Object other) { return other instanceof Wrapper && inner.equals(((Wrapper) other).inner); }
        @Override public int hashCode() { return inner.hashCode(); }
        @Override public int compareTo(Wrapper other) { return inner.compareTo(other.inner); }
    }

    static class Reversed implements Comparable<Reversed> {
        final Tagged inner;
        Reversed(Tagged inner) { this.inner = inner; }
        @Override public int compareTo(Reversed other) { return other.inner.compareTo(inner); }
    }

    interface Shape extends Comparable<Shape> {
        int area();
    }

    record Square(int side) implements Shape {
        @Override public int area() { return side * side; }
        @Override public int compareTo(Shape other) { return Integer.compare(area(), other.area()); }
    }

    static Shape proxy(Shape shape) {
        return (Shape) Proxy.newProxyInstance(Forms.class.getClassLoader(), new Class<?>[] {Shape.class}, (self, method, arguments) -> {
            if (arguments != null && arguments[0] != null && Proxy.isProxyClass(arguments[0].getClass())) {
                arguments = new Object[] {unwrapped.get(System.identityHashCode(arguments[0]))};
            }
            return method.invoke(shape, arguments);
        });
    }

    static final Map<Integer, Shape> unwrapped = new HashMap<>();

    static Shape known(Shape shape) {
        Shape proxy = proxy(shape);
        unwrapped.put(System.identityHashCode(proxy), shape);
        return proxy;
    }

    record Pair(int first, String second) implements Comparable<Pair> {
        @Override public int compareTo(Pair other) {
            int order = Integer.compare(first, other.first);
            return order != 0 ? order : second.compareTo(other.second);
        }
    }

    enum Level {
        LOW { @Override int weight() { return 1; } },
        HIGH { @Override int weight() { return 2; } };
        abstract int weight();
    }

    static class Labels extends ArrayList<String> {
        final String title;
        Labels(String title, String... labels) { super(List.of(labels)); this.title = title; }
        @Override public boolean equals(Object other) {
            return super.equals(other) && other instanceof Labels && title.equals(((Labels) other).title);
        }
        @Override public int hashCode() { return 31 * super.hashCode() + title.hashCode(); }
    }

    static <T extends Comparable<? super T>> void inOrder(String what, List<T> all) {
        for (T left : all) {
            for (T right : all) left.compareTo(right);
        }
        List<T> sorted = new ArrayList<>(all);
        Collections.sort(sorted);
        System.out.println(what + " in order: " + new TreeSet<>(all).size() + " of " + sorted.size());
    }

    static void asKeys(String what, List<?> all) {
        int equal = 0;
        for (Object left : all) {
            for (Object right : all) equal += left.equals(right) ? 1 : 0;
        }
        Set<Object> set = new HashSet<>(all);
        for (Object one : all) equal += set.contains(one) ? 0 : 1000;
        System.out.println(what + " as keys: " + set.size() + ", equal " + equal);
    }

    static void comparisons() {
        List<Tagged> tagged = List.of(new Tagged(1, 1, "a"), new Tagged(1, 1, "b"), new Tagged(1, 2, "a"), new Tagged(2, 1, "a"),
                                      new Tagged(1, 1, "a"));
        List<Backward> backward = new ArrayList<>();
        List<Plain> plain = new ArrayList<>();
        List<Wrapper> wrappers = new ArrayList<>();
        List<Reversed> reversed = new ArrayList<>();
        for (Tagged one : tagged) {
            backward.add(new Backward(one.id, one.price, one.tag));
            plain.add(new Plain(one.id, one.price, one.tag));
            wrappers.add(new Wrapper(one));
            reversed.add(new Reversed(one));
        }
        inOrder("tagged", tagged);
        asKeys("tagged", tagged);
        inOrder("backward", backward);
        inOrder("plain", plain);
        asKeys("plain", plain);
        inOrder("wrappers", wrappers);
        asKeys("wrappers", wrappers);
        inOrder("reversed", reversed);
        inOrder("raw", List.<Raw>of(new RawPair(1, 1), new RawPair(1, 2), new RawPair(2, 1)));
        inOrder("players", List.of(new Player(1, 20), new Player(1, 30), new Player(2, 20)));
        inOrder("keys", List.<Ordered>of(new LongKey(1, 1), new LongKey(1, 2), new LongKey(2, 1)));
        List<Version> versions = List.of(new Version(1, 2), new Version(1, 3), new Version(2, 1), new Version(1, 2));
        inOrder("versions", versions);
        asKeys("versions", versions);
        System.out.println("majors: " + versions.get(0).compareTo(versions.get(1), 1) + versions.get(1).compareTo(versions.get(0), 2)
                           + versions.get(0).equals(versions.get(1), false) + (versions.get(0).hashCode(1) == 1));
        List<Shape> shapes = List.of(known(new Square(1)), known(new Square(2)), known(new Square(1)));
        inOrder("proxies", shapes);
        asKeys("proxies", shapes);
        List<Pair> pairs = List.of(new Pair(1, "a"), new Pair(1, "b"), new Pair(1, "a"));
        inOrder("records", pairs);
        asKeys("records", pairs);
        inOrder("enums", List.of(Level.values()));
        System.out.println("levels: " + EnumSet.allOf(Level.class).size());
        asKeys("labels", List.of(new Labels("a", "x"), new Labels("b", "x"), new Labels("a", "x")));
    }

    // --- computed values go everywhere ---
    record Price(BigDecimal amount) { }

    static BigDecimal kept;
    static final List<BigDecimal> sums = new ArrayList<>();
    static final Map<String, BigDecimal> byName = new HashMap<>();

    static BigDecimal more(BigDecimal value) { return value.add(BigDecimal.ONE); }
    static void use(BigDecimal value) { }
    static void useAll(Object... values) { }
    static <T> T same(T value) { return value; }

    static void usedValues() {
        BigDecimal[] array = new BigDecimal[3];
        Object any = null;
        for (int i = 0; i < 3; ++i) {
            BigDecimal start = new BigDecimal("1.5");
            use(start.add(BigDecimal.ONE));
            use(more(start));
            useAll(start.multiply(BigDecimal.TEN), start.negate());
            sums.add(start.subtract(BigDecimal.ONE));
            byName.put("sum", start.add(BigDecimal.TEN));
            array[i] = start.add(start);
            kept = start.negate();
            Price price = new Price(start.abs());
            any = price;
            BigDecimal chosen = i > 1 ? start.add(BigDecimal.ONE) : start.subtract(BigDecimal.TEN);
            use(chosen);
            Supplier<BigDecimal> later = () -> start.pow(2);
            same(later.get());
            BigDecimal last = start.setScale(0, java.math.RoundingMode.UP);
            if (last == null) System.out.println("never");
        }
        System.out.println("used: " + sums.size() + byName.size() + array.length + (any != null));
    }

    // --- finalizers, initialisers, streams and listeners that call those of superclasses ---
    static volatile int finalized;

    static class Handle {
        boolean open = true;
        @SuppressWarnings({"deprecation", "removal"})
        @Override protected void finalize() throws Throwable { close(); }
        void close() { open = false; }
        boolean isOpen() { return open; }
    }

    static class LogHandle extends Handle {
        @SuppressWarnings({"deprecation", "removal"})
        @Override protected void finalize() throws Throwable {
            try {
                super.finalize();
            } finally {
                if (!isOpen()) ++finalized;
            }
        }
    }

    static void makeHandle() { new LogHandle(); }

    @SuppressWarnings({"deprecation", "removal"})
    static void finalizers() throws Exception {
        makeHandle();
        while (finalized == 0) {
            System.gc();
            System.runFinalization();
            Thread.sleep(1);
        }
        System.out.println("finalized");
    }

    static class Pool {
        int size;
        void init() { size = 1; }
    }

    static class LargePool extends Pool {
        @Override void init() {
            super.init();
            init(2);
            init("three");
        }
        void init(int more) { size += more; }
        void init(String more) { size += more.length(); }
    }

    static class LargestPool extends LargePool {
        @Override void init() {
            super.init();
            size *= 2;
        }
    }

    static class Counted extends FileInputStream {
        int closed;
        Counted(String file) throws IOException { super(file); }
        @Override public int read(byte[] into) throws IOException { return super.read(into); }
        @Override public void close() throws IOException {
            ++closed;
            super.close();
        }
    }

    static void initialisers(String file) throws Exception {
        Pool pool = new LargestPool();
        pool.init();
        System.out.println("size: " + pool.size);
        Counted counted = new Counted(file);
        counted.read(new byte[1]);
        counted.close();
        FileInputStream in = new FileInputStream(file);
        in.read(new byte[1]);
        in.close();
        Thread.sleep(60);
        in.close();  // once more, and late
        counted.close();
        System.out.println("closed: " + counted.closed);
    }

    interface Listener { }

    static class View implements Listener { }

    static class Model<L extends Listener> {
        final List<L> listeners = new ArrayList<>();
        void addListener(L listener) { listeners.add(listener); }
        void addListener(String topic, L listener) { listeners.add(listener); }
        void removeListener(L listener) { listeners.remove(listener); }
    }

    static class LoudModel extends Model<View> {
        @Override void addListener(View listener) { super.addListener(listener); }
        @Override void removeListener(View listener) { super.removeListener(listener); }
    }

    static void listeners() {
        Model<View> model = new LoudModel();
        View view = new View();
        model.addListener(view);
        String topic = "topic";
        Model<View> topics = new LoudModel();
        topics.addListener(topic, view);
        addOther(topics, topic, new View());
        System.out.println("listeners: " + model.listeners.size() + topics.listeners.size());
    }

    static void addOther(Model<View> model, String topic, View view) { model.addListener(topic, view); }

    static class Stamp extends SimpleDateFormat {
        Stamp() { super("yyyy"); }
        @Override public StringBuffer format(Date date, StringBuffer into, FieldPosition position) {
            return super.format(date, into, position);
        }
    }

    // --- collections ---
    static class Names extends ArrayList<String> {
        Names(List<String> names) { super(names); }
        @Override public boolean remove(Object name) { return super.remove(name); }
    }

    static void collections() {
        Names names = new Names(List.of("a", "b", "c", "d"));
        for (Iterator<String> all = names.iterator(); all.hasNext();) {
            if (all.next().equals("b")) all.remove();
        }
        for (String name : names) {
            if (!name.equals("c")) continue;
            names.remove(name);
            break;
        }
        for (String name : names) names.remove("none " + name);
        for (String name : new ArrayList<>(names)) names.remove(name);
        System.out.println("names: " + names.size());
        Map<String, Integer> map = new HashMap<>(Map.of("a", 1, "b", 2));
        for (String key : map.keySet()) map.put(key, 3);
        map.values().removeIf(value -> value == 3);
        System.out.println("map: " + map.size());
    }

    // --- requests and texts ---
    interface Servlet { void service(Object request, Object response); }
    interface Statement { int executeQuery(); }

    static class Price1 implements Statement {
        @Override public int executeQuery() { return 1; }
    }

    static class Pooled implements Statement {
        final Statement inner;
        Pooled(Statement inner) { this.inner = inner; }
        @Override public int executeQuery() { return inner.executeQuery(); }
    }

    static class Cart implements Servlet {
        @Override public void service(Object request, Object response) {
            int sum = 0;
            for (int i = 0; i < 9; ++i) sum += new Pooled(new Pooled(new Price1())).executeQuery();
            System.out.println("sum: " + sum);
        }
    }

    static class LoudCart extends Cart {
        @Override public void service(Object request, Object response) { super.service(request, response); }
    }

    static void texts() {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < 20; ++i) line.append(i).append(", ");
        String text = line.toString();
        for (int i = 0; i < 3; ++i) text = text + i;
        StringBuilder[] parts = {new StringBuilder(text), new StringBuilder(text), new StringBuilder(text)};
        for (StringBuilder part : parts) part.append("!").toString();
        System.out.println("text: " + text.length() + Arrays.asList(parts).size());
    }

    public static void main(String[] args) throws Exception {
        comparisons();
        usedValues();
        finalizers();
        initialisers(args[0]);
        listeners();
        ThreadForms.threads();
        collections();
        new LoudCart().service(null, null);
        texts();
    }
}
