import java.io.FileInputStream;
import java.lang.ref.WeakReference;
import java.math.BigDecimal;
import java.text.SimpleDateFormat;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Date;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** What Faulty does, without its faults. */
public class Right {
    // --- hash-code-consistent ---
    static class Item {
        int price;
        @Override public int hashCode() { return 7; }
        @Override public boolean equals(Object other) { return this == other; }
    }

    static void hashCodeConsistent() {
        Item item = new Item();
        Set<Item> items = new HashSet<>(List.of(item));
        item.price = 5;
        System.out.println("found again: " + items.contains(item));
    }

    // --- equal-objects-different-hash-codes, different-objects-equal-hash-codes ---
    static class Name {
        final String text;
        Name(String text) { this.text = text; }
        @Override public boolean equals(Object other) {
            return other instanceof Name && ((Name) other).text.equalsIgnoreCase(text);
        }
        @Override public int hashCode() { return text.toLowerCase().hashCode(); }
    }

    static void equalObjectsDifferentHashCodes() {
        Name upper = new Name("ANN");
        Name lower = new Name("ann");
        System.out.println("equal: " + upper.equals(lower) + ", " + upper.hashCode() + ", " + lower.hashCode());
    }

    static void differentObjectsEqualHashCodes() {
        Name bob = new Name("bob");
        Name eve = new Name("eve");
        System.out.println("equal: " + bob.equals(eve) + ", " + bob.hashCode() + ", " + eve.hashCode());
    }

    // --- string-concats ---
    static void stringConcats() {
        StringBuilder longer = new StringBuilder("0");
        for (int i = 1; i <= 6; ++i) longer.append(i);
        String line = longer.toString();
        System.out.println("line: " + line);
    }

    // --- delayed-close, never-closed ---
    static String file;

    static void delayedClose() throws Exception {
        FileInputStream in = new FileInputStream(file);
        in.read(new byte[1]);
        in.close();
        Thread.sleep(60);
        System.out.println("closed");
    }

    static void neverClosed() throws Exception {
        try (FileInputStream in = new FileInputStream(file)) {
            System.out.println("read: " + in.read(new byte[1]));
        }
        try (var in = java.nio.file.Files.newInputStream(java.nio.file.Path.of(file));
             var random = new java.io.RandomAccessFile(file, "r")) {
            System.out.println("read: " + in.read(new byte[1]) + ", " + (random.length() > 0));
        }
        System.out.println("standard input: " + new FileInputStream(java.io.FileDescriptor.in).available());
        System.out.println("seeded: " + java.util.UUID.randomUUID().toString().length());
        try {
            new FileInputStream(file + ".none");
        } catch (java.io.FileNotFoundException e) {
            System.out.println("not there");
        }
        System.out.println("of a jar: " + (ofJar() != null));
    }

    static java.net.URLClassLoader kept;  // its jar stays open

    static java.net.URL ofJar() throws Exception {
        java.io.File jar = java.io.File.createTempFile("right", ".jar");
        jar.deleteOnExit();
        try (var out = new java.util.zip.ZipOutputStream(new java.io.FileOutputStream(jar))) {
            out.putNextEntry(new java.util.zip.ZipEntry("entry"));
        }
        kept = new java.net.URLClassLoader(new java.net.URL[] {jar.toURI().toURL()});
        return kept.findResource("entry");
    }

    // --- compare-to-reflexive, compare-to-antisymmetric, compare-to-transitive ---
    static class Version implements Comparable<Version> {
        final int number;
        Version(int number) { this.number = number; }
        @Override public int compareTo(Version other) { return Integer.compare(number, other.number); }
    }

    static void compareToReflexive() {
        Version version = new Version(1);
        System.out.println("with itself: " + version.compareTo(version));
    }

    static class Distance implements Comparable<Distance> {
        final int metres;
        Distance(int metres) { this.metres = metres; }
        @Override public int compareTo(Distance other) { return Integer.compare(metres, other.metres); }
    }

    static void compareToAntisymmetric() {
        Distance near = new Distance(Integer.MIN_VALUE);
        Distance here = new Distance(0);
        System.out.println("both ways: " + (near.compareTo(here) < 0) + ", " + (here.compareTo(near) < 0));
    }

    static class Hand implements Comparable<Hand> {
        final int shape;  // rock, paper, scissors
        Hand(int shape) { this.shape = shape; }
        @Override public int compareTo(Hand other) {
            return Integer.compare(shape, other.shape);
        }
    }

    static void compareToTransitive() {
        Hand rock = new Hand(0);
        Hand paper = new Hand(1);
        Hand scissors = new Hand(2);
        System.out.println("circle: " + paper.compareTo(rock) + scissors.compareTo(paper) + rock.compareTo(scissors));
    }

    // --- changed-while-iterated ---
    static void changedWhileIterated() {
        List<String> names = new ArrayList<>(List.of("a", "b", "c"));
        for (Iterator<String> all = names.iterator(); all.hasNext();) {
            if (all.next().equals("b")) all.remove();
        }
        System.out.println("names: " + names.size());
    }

    // --- lock-order ---
    static void lockOrder() throws Exception {
        ReentrantLock stock = new ReentrantLock();
        ReentrantLock till = new ReentrantLock();
        inThread("buyer", () -> bothLocked(stock, till));
        inThread("seller", () -> bothLocked(stock, till));
    }

    static void bothLocked(ReentrantLock first, ReentrantLock second) {
        first.lock();
        try {
            first.lock();
            first.unlock();
            second.lock();
            try {
                System.out.println("both locked");
            } finally {
                second.unlock();
            }
        } finally {
            first.unlock();
        }
    }

    // --- equals-without-hash-code ---
    static class Point {
        final int x;
        Point(int x) { this.x = x; }
        @Override public boolean equals(Object other) { return other instanceof Point && ((Point) other).x == x; }
        @Override public int hashCode() { return x; }
    }

    static void equalsWithoutHashCode() {
        Map<Point, String> names = new HashMap<>();
        Point point = new Point(1);
        names.put(point, "one");
        System.out.println("equal: " + point.equals(new Point(1)));
    }

    // --- n-plus-one ---
    interface Servlet { void service(Object request, Object response); }
    interface Statement { int executeQuery(); }

    static class Price implements Statement {
        @Override public int executeQuery() { return 1; }
    }

    static class Cart implements Servlet {
        @Override public void service(Object request, Object response) {
            System.out.println("sum: " + new Price().executeQuery() * 12);
        }
    }

    static void nPlusOne() { new Cart().service(null, null); }

    // --- shared-date-format ---
    static void sharedDateFormat() throws Exception {
        for (int i = 0; i < 2; ++i) {
            inThread("clerk-" + i, () -> System.out.println("year: " + new SimpleDateFormat("yyyy").format(new Date(0)).length()));
        }
    }

    // --- unused-value ---
    static void unusedValue() {
        BigDecimal sum = new BigDecimal("1.5");
        for (int i = 0; i < 2; ++i) sum = sum.add(new BigDecimal("2.5"));
        System.out.println("sum: " + sum);
    }

    // --- initialised-twice ---
    static class Pool {
        int[] buffers;
        void init() { buffers = new int[10]; }
    }

    static void initialisedTwice() {
        Pool pool = new Pool();
        pool.init();
        System.out.println("buffers: " + pool.buffers.length);
    }

    // --- resurrected ---
    static volatile boolean finalized;

    static class Zombie {
        @SuppressWarnings({"deprecation", "removal"})
        @Override protected void finalize() { finalized = getAge() == 7; }
        int getAge() { return 7; }
    }

    @SuppressWarnings({"deprecation", "removal"})
    static void resurrected() throws Exception {
        makeZombie();
        while (!finalized) {
            System.gc();
            System.runFinalization();
            Thread.sleep(1);
        }
        System.out.println("finalized");
        makeGhost();
        while (ghosts.isEmpty()) {
            System.gc();
            System.runFinalization();
            Thread.sleep(1);
        }
        System.out.println("ghosts: " + ghosts.size());
    }

    static void makeZombie() { new Zombie(); }

    static final List<Object> ghosts = Collections.synchronizedList(new ArrayList<>());

    static class Ghost {
        @SuppressWarnings({"deprecation", "removal"})
        @Override protected void finalize() { ghosts.add("one"); }
    }

    static void makeGhost() { new Ghost(); }

    // --- listener-kept ---
    interface Listener { void changed(); }

    static class Model {
        final List<Listener> listeners = new ArrayList<>();
        void addListener(Listener listener) { listeners.add(listener); }
        void removeListener(Listener listener) { listeners.remove(listener); }
    }

    static class View implements Listener {
        @Override public void changed() { }
    }

    static void open(Model model, View view) { model.addListener(view); }
    static void select(Model model, View view) { model.addListener(view); }

    static class WeakModel {
        final List<WeakReference<Listener>> listeners = new ArrayList<>();
        void addListener(Listener listener) { listeners.add(new WeakReference<>(listener)); }
    }

    static void listenerKept() {
        Model model = new Model();
        for (int i = 0; i < 3; ++i) {
            View view = new View();
            model.addListener(view);
            model.removeListener(view);
        }
        System.out.println("listeners: " + model.listeners.size());
        Model twice = new Model();
        View shown = new View();
        open(twice, shown);
        twice.removeListener(shown);
        select(twice, shown);
        System.out.println("listeners: " + twice.listeners.size());
        WeakModel weak = new WeakModel();
        for (int i = 0; i < 3; ++i) weak.addListener(new View());
        System.out.println("held weakly: " + weak.listeners.size());
    }

    // --- wait-without-loop ---
    static class Queue {
        final ReentrantLock lock = new ReentrantLock();
        final Condition filled = lock.newCondition();
        int size;

        boolean isEmpty() { return size == 0; }

        void put() {
            lock.lock();
            try {
                ++size;
                filled.signal();
            } finally {
                lock.unlock();
            }
        }

        int take() throws InterruptedException {
            lock.lock();
            try {
                while (isEmpty()) filled.await();
                return --size;
            } finally {
                lock.unlock();
            }
        }

        boolean hasTaker() {
            lock.lock();
            try {
                return lock.hasWaiters(filled);
            } finally {
                lock.unlock();
            }
        }
    }

    // Waits for its own monitor.
    static class Bell {
        int rings;
        boolean waits;

        synchronized boolean isSilent() { return rings == 0; }
        synchronized boolean hasWaiter() { return waits; }
        int takeRing() { return --rings; }

        synchronized void ring() {
            ++rings;
            notifyAll();
        }

        synchronized int hear() throws InterruptedException {
            waits = true;
            while (isSilent()) wait();
            return takeRing();
        }
    }

    static void hear(Bell bell) {
        try {
            System.out.println("left: " + bell.hear());
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    static void waitWithoutLoop() throws Exception {
        Queue queue = new Queue();
        Thread taker = new Thread(() -> {
            try {
                System.out.println("left: " + queue.take());
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }, "taker");
        taker.start();
        while (!queue.hasTaker()) Thread.yield();
        queue.put();
        taker.join();
        for (int i = 0; i < 2; ++i) {
            Bell bell = new Bell();
            Thread listener = new Thread(() -> hear(bell), "listener");
            listener.start();
            while (!bell.hasWaiter()) Thread.yield();
            bell.ring();
            listener.join();
        }
    }

    // --- computed-twice ---
    static void computedTwice() throws Exception {
        Map<String, Integer> prices = new ConcurrentHashMap<>();
        CountDownLatch asked = new CountDownLatch(2);
        Thread[] clerks = new Thread[2];
        for (int i = 0; i < clerks.length; ++i) {
            clerks[i] = new Thread(() -> {
                prices.computeIfAbsent("tea", name -> 3);
                asked.countDown();
            }, "pricer-" + i);
            clerks[i].start();
        }
        for (Thread clerk : clerks) clerk.join();
        System.out.println("prices: " + prices.size());
    }

    static void inThread(String name, Runnable body) throws InterruptedException {
        Thread thread = new Thread(body, name);
        thread.start();
        thread.join();
    }

    // --- lock-order, of synchronized, and of both kinds of locks ---
    static void monitorOrder() throws Exception {
        Object stock = new Object();
        Object till = new Object();
        ReentrantLock door = new ReentrantLock();
        inThread("buyer", () -> bothHeld(stock, till));
        inThread("seller", () -> bothHeld(stock, till));
        inThread("guard", () -> heldThenLocked(stock, door));
        inThread("thief", () -> heldThenLocked(stock, door));
    }

    static void bothHeld(Object first, Object second) {
        synchronized (first) {
            synchronized (first) {
                synchronized (second) {
                    System.out.println("both held");
                }
            }
        }
    }

    static void heldThenLocked(Object first, ReentrantLock second) {
        synchronized (first) {
            second.lock();
            second.unlock();
            System.out.println("held, then locked");
        }
    }

    public static void main(String[] args) throws Exception {
        file = args[0];
        hashCodeConsistent();
        equalObjectsDifferentHashCodes();
        differentObjectsEqualHashCodes();
        stringConcats();
        delayedClose();
        neverClosed();
        compareToReflexive();
        compareToAntisymmetric();
        compareToTransitive();
        changedWhileIterated();
        lockOrder();
        equalsWithoutHashCode();
        nPlusOne();
        sharedDateFormat();
        unusedValue();
        initialisedTwice();
        resurrected();
        listenerKept();
        waitWithoutLoop();
        computedTwice();
        monitorOrder();
    }
}
