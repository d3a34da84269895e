import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Faults in methods that call those of superclasses, or are inherited: each is found at the class that has it. */
public class FaultyForms {
    static class Thing implements Comparable<Thing> {
        int id;
        Thing(int id) { this.id = id; }
        @Override public boolean equals(Object other) { return other instanceof Thing && ((Thing) other).id == id; }
        @Override public int hashCode() { return id; }
        @Override public int compareTo(Thing other) { return Integer.compare(id, other.id); }
    }

    // --- compare-to-antisymmetric, at the third level, where the difference of two ints overflows ---
    static class Middle extends Thing {
        Middle(int id) { super(id); }
        @Override public int compareTo(Thing other) { return super.compareTo(other); }
    }

    static class Distance extends Middle {
        final int metres;
        Distance(int id, int metres) { super(id); this.metres = metres; }
        @Override public int compareTo(Thing other) {
            int order = super.compareTo(other);
            return order != 0 ? order : metres - ((Distance) other).metres;
        }
    }

    // Has no compareTo() of its own.
    static class LongDistance extends Distance {
        LongDistance(int metres) { super(2, metres); }
    }

    static void antisymmetric() {
        Distance near = new Distance(1, Integer.MIN_VALUE);
        Distance here = new Distance(1, 0);
        System.out.println("both ways: " + (near.compareTo(here) < 0) + ", " + (here.compareTo(near) < 0));
        Thing nearer = new LongDistance(Integer.MIN_VALUE);
        Thing farther = new LongDistance(0);
        System.out.println("inherited: " + (nearer.compareTo(farther) < 0) + ", " + (farther.compareTo(nearer) < 0));
    }

    // --- compare-to-reflexive, called through Comparable, by the bridge ---
    static class Moody extends Middle {
        Moody(int id) { super(id); }
        @Override public int compareTo(Thing other) { return super.compareTo(other) + 1; }
    }

    static <T extends Comparable<? super T>> int compare(T left, T right) { return left.compareTo(right); }

    static void reflexive() {
        Moody moody = new Moody(3);
        System.out.println("with itself: " + compare(moody, moody));
    }

    // --- compare-to-transitive ---
    static class Hand extends Middle {
        Hand(int shape) { super(shape); }
        @Override public int compareTo(Thing other) {
            int order = super.compareTo(other);
            return order == 0 ? 0 : (id - other.id + 3) % 3 == 1 ? 1 : -1;
        }
    }

    static void transitive() {
        Hand rock = new Hand(0);
        Hand paper = new Hand(1);
        Hand scissors = new Hand(2);
        System.out.println("circle: " + paper.compareTo(rock) + scissors.compareTo(paper) + rock.compareTo(scissors));
    }

    // --- equal-objects-different-hash-codes: equals() is inherited, hashCode() adds what it does not compare ---
    static class Labelled extends Thing {
        final String label;
        Labelled(int id, String label) { super(id); this.label = label; }
        @Override public int hashCode() { return 31 * super.hashCode() + label.hashCode(); }
    }

    static void equalObjects() {
        Labelled a = new Labelled(7, "a");
        Labelled b = new Labelled(7, "b");
        System.out.println("equal: " + a.equals(b) + ", " + (a.hashCode() == b.hashCode()));
    }

    // --- different-objects-equal-hash-codes: hashCode() is that of the superclass ---
    static class Sized extends Thing {
        final int size;
        Sized(int id, int size) { super(id); this.size = size; }
        @Override public boolean equals(Object other) { return super.equals(other) && size == ((Sized) other).size; }
        @Override public int hashCode() { return super.hashCode(); }
    }

    static void differentObjects() {
        Sized small = new Sized(8, 1);
        Sized large = new Sized(8, 2);
        System.out.println("equal: " + small.equals(large) + ", " + (small.hashCode() == large.hashCode()));
    }

    // --- hash-code-consistent: what the superclass adds changes ---
    static class Counter extends Thing {
        Counter(int id) { super(id); }
        @Override public int hashCode() { return 31 * super.hashCode() + 1; }
    }

    static void changing() {
        Counter counter = new Counter(9);
        Set<Counter> counters = new HashSet<>(List.of(counter));
        counter.id = 10;
        System.out.println("found again: " + counters.contains(counter));
    }

    // --- initialised-twice, from outside ---
    static class Pool {
        int size;
        void init() { ++size; }
    }

    static class LargePool extends Pool {
        @Override void init() {
            super.init();
            ++size;
        }
    }

    static void initialised() {
        Pool pool = new LargePool();
        pool.init();
        pool.init();
        System.out.println("size: " + pool.size);
    }

    // --- unused-value: kept in a variable that nothing reads, and dropped by a method of a superclass's ---
    static void unused() {
        BigDecimal sum = new BigDecimal("1.5");
        for (int i = 0; i < 3; ++i) {
            BigDecimal more = sum.add(BigDecimal.ONE);
        }
        System.out.println("sum: " + sum);
    }

    // --- listener-kept: one listener, added in two places through a method that calls its superclass's ---
    interface Listener { }

    static class Model {
        final List<Listener> listeners = new ArrayList<>();
        void addListener(Listener listener) { listeners.add(listener); }
        void addListener(String topic, Listener listener) { listeners.add(listener); }
    }

    static class LoudModel extends Model {
        @Override void addListener(Listener listener) { super.addListener(listener); }
    }

    static void open(Model model, Listener listener) { model.addListener(listener); }
    static void select(Model model, Listener listener) { model.addListener(listener); }
    static void openTopic(Model model, Listener listener) { model.addListener("topic", listener); }
    static void selectTopic(Model model, Listener listener) { model.addListener("topic", listener); }

    static void listeners() {
        Model model = new LoudModel();
        Listener listener = new Listener() { };
        open(model, listener);
        select(model, listener);
        Model topics = new Model();
        openTopic(topics, listener);
        selectTopic(topics, listener);
        System.out.println("listeners: " + model.listeners.size() + topics.listeners.size());
    }

    public static void main(String[] args) throws Exception {
        antisymmetric();
        reflexive();
        transitive();
        equalObjects();
        differentObjects();
        changing();
        initialised();
        unused();
        listeners();
    }
}
