// Application classes under JDK supertypes: inherited methods called on them, overrides called back.
// e2e: jdk-below JdkSubclasses.measured
import java.io.BufferedInputStream;
import java.io.FilterOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

public class JdkSubclasses {
    static class MyList extends ArrayList<Integer> {
        int adds;
        MyList() { super(4); }
        @Override public boolean add(Integer n) { count(); return super.add(n); }
        void count() { adds++; }
        int total() { int sum = 0; for (int i = 0; i < size(); i++) sum += get(i); return sum; }
    }
    static class Plain extends ArrayList<Integer> {}
    static class Squares extends AbstractList<Integer> {
        @Override public Integer get(int i) { return square(i); }
        @Override public int size() { return 9; }
        private static int square(int i) { return i * i; }
    }
    static class Lru extends LinkedHashMap<Integer, Integer> {
        Lru() { super(16, 0.75f, true); }
        @Override protected boolean removeEldestEntry(Map.Entry<Integer, Integer> e) { return tooMany(size()); }
        static boolean tooMany(int n) { return n > 8; }
    }
    static final class Key implements Comparable<Key> {
        final int k;
        Key(int k) { this.k = k; }
        @Override public int hashCode() { return k & 3; }
        @Override public boolean equals(Object o) { return o instanceof Key && same((Key) o); }
        boolean same(Key o) { return k == o.k; }
        @Override public int compareTo(Key o) { return k - o.k; }
        @Override public String toString() { return "K" + k; }
    }
    static class Bytes extends InputStream {
        int left = 300;
        @Override public int read() { return left == 0 ? -1 : next(); }
        int next() { return left-- & 127; }
    }
    static class Upper extends FilterOutputStream {
        Upper(OutputStream out) { super(out); }
        @Override public void write(int b) throws IOException { super.write(up(b)); }
        static int up(int b) { return b | 32; }
    }
    static class Lazy extends ThreadLocal<Integer> {
        @Override protected Integer initialValue() { return first(); }
        int first() { return 6; }
    }

    static int lists() {
        MyList mine = new MyList();
        Plain plain = new Plain();
        for (int i = 0; i < 10; i++) { mine.add(i); plain.add(i); }
        mine.addAll(Arrays.asList(1, 2));
        Collections.reverse(mine);
        List<Integer> squares = new Squares();
        return mine.total() + mine.adds + plain.size() + plain.indexOf(5) + squares.indexOf(16) + squares.hashCode() + (squares.contains(50) ? 1 : 0);
    }
    static int keys() {
        Map<Key, Integer> map = new HashMap<>();
        Set<Key> tree = new TreeSet<>();
        for (int i = 0; i < 14; i++) { map.put(new Key(i % 9), i); tree.add(new Key(20 - i)); }
        Lru lru = new Lru();
        for (int i = 0; i < 20; i++) lru.put(i % 11, i);
        return map.get(new Key(4)) + tree.size() + lru.size() + new HashSet<>(map.keySet()).size()
            + String.valueOf(new Key(3)).length() + ("" + new Key(5)).length() + tree.toString().length();
    }
    static int streams() throws IOException {
        InputStream in = new BufferedInputStream(new Bytes(), 64);
        OutputStream out = new Upper(new ByteArrayOutputStream());
        int sum = 0;
        for (int b = in.read(); b >= 0; b = in.read()) sum += b;
        out.write(new byte[] {65, 66, 67});
        out.flush();
        return sum + new Lazy().get();
    }

    static int work() throws IOException {
        int sum = 0;
        for (int i = 0; i < 40; i++) sum += lists() + keys() + streams();
        return sum;
    }

    /** Called after rehearsals: nothing is loaded or linked below it any more. */
    static int measured() throws IOException { return work(); }

    public static void main(String[] args) throws IOException {
        // Named in the signature of removeEldestEntry() alone: our class loader would be asked for it when a
        // thread first wants that method compiled, which is at no certain time.
        int sum = Map.Entry.class.isInterface() ? 0 : 1;
        for (int i = 0; i < 4; i++) sum += work();
        System.out.println("subclasses " + sum + " " + measured());
    }
}
