import java.io.FileInputStream;
import java.math.BigDecimal;
import java.text.SimpleDateFormat;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Date;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** One fault for each check of the library; Right has none of them. Prints what it does, one line a fault. */
public class Faulty {
    // --- hash-code-consistent: the hash code depends on what changes ---
    static class Item {
        int price;
        @Override public int hashCode() { return price; }
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
        @Override public int hashCode() { return text.length() * 100 + (text.charAt(0) == 'A' ? 1 : 0); }
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

    // --- string-concats: each step copies all that is there ---
    static void stringConcats() {
        String line = "0";
        for (int i = 1; i <= 6; ++i) {
            StringBuilder longer = new StringBuilder(line);
            longer.append(i);
            line = longer.toString();
        }
        System.out.println("line: " + line);
    }

    // --- delayed-close, never-closed ---
    static String file;

    static void delayedClose() throws Exception {
        FileInputStream in = new FileInputStream(file);
        in.read(new byte[1]);
        Thread.sleep(1000);
        in.close();
        System.out.println("closed late");
    }

    static void neverClosed() throws Exception {
        System.out.println("read: " + new FileInputStream(file).read(new byte[1]));
        System.out.println("read: " + java.nio.file.Files.newInputStream(java.nio.file.Path.of(file)).read(new byte[1]));
        System.out.println("read: " + (new java.io.RandomAccessFile(file, "r").length() > 0));
    }

    // --- compare-to-reflexive, compare-to-antisymmetric, compare-to-transitive ---
    static class Version implements Comparable<Version> {
        final int number;
        Version(int number) { this.number = number; }
        @Override public int compareTo(Version other) { return number < other.number ? -1 : 1; }
    }

    static void compareToReflexive() {
        Version version = new Version(1);
        System.out.println("with itself: " + version.compareTo(version));
    }

    static class Distance implements Comparable<Distance> {
        final int metres;
        Distance(int metres) { this.metres = metres; }
        @Override public int compareTo(Distance other) { return metres - other.metres; }  // overflows
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
            return shape == other.shape ? 0 : (shape - other.shape + 3) % 3 == 1 ? 1 : -1;
        }
    }

    static void compareToTransitive() {
        Hand rock = new Hand(0);
        Hand paper = new Hand(1);
        Hand scissors = new Hand(2);
        System.out.println("circle: " + paper.compareTo(rock) + scissors.compareTo(paper) + rock.compareTo(scissors));
    }

    // --- changed-while-iterated: the loop ends early, without a word ---
    static void changedWhileIterated() {
        List<String> names = new ArrayList<>(List.of("a", "b", "c"));
        for (String name : names) {
            if (name.equals("b")) names.remove(name);
        }
        System.out.println("names: " + names.size());
    }

    // --- lock-order ---
    static void lockOrder() throws Exception {
        ReentrantLock stock = new ReentrantLock();
        ReentrantLock till = new ReentrantLock();
        inThread("buyer", () -> bothLocked(stock, till));
        inThread("seller", () -> bothLocked(till, stock));
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
    }

    static void equalsWithoutHashCode() {
        Map<Point, String> names = new HashMap<>();
        names.put(new Point(1), "one");
        System.out.println("found: " + names.get(new Point(1)));
    }

    // --- n-plus-one ---
    interface Servlet { void service(Object request, Object response); }
    interface Statement { int executeQuery(); }

    static class Price implements Statement {
        @Override public int executeQuery() { return 1; }
    }

    static class Cart implements Servlet {
        @Override public void service(Object request, Object response) {
            int sum = 0;
            for (int i = 0; i < 12; ++i) sum += new Price().executeQuery();
            System.out.println("sum: " + sum);
        }
    }

    static void nPlusOne() { new Cart().service(null, null); }

    // --- shared-date-format ---
    static final SimpleDateFormat YEAR = new SimpleDateFormat("yyyy");

    static void sharedDateFormat() throws Exception {
        for (int i = 0; i < 2; ++i) {
            inThread("clerk-" + i, () -> System.out.println("year: " + YEAR.format(new Date(0)).length()));
        }
    }

    // --- unused-value ---
    static void unusedValue() {
        BigDecimal sum = new BigDecimal("1.5");
        for (int i = 0; i < 2; ++i) sum.add(new BigDecimal("2.5"));
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
        pool.init();
        System.out.println("buffers: " + pool.buffers.length);
    }

    // --- resurrected ---
    static volatile Zombie saved;
    static volatile Thread finalizer;

    static class Zombie {
        @SuppressWarnings({"deprecation", "removal"})
        @Override protected void finalize() {
            finalizer = Thread.currentThread();
            saved = this;
        }
        int getAge() { return 7; }
    }

    @SuppressWarnings({"deprecation", "removal"})
    static void resurrected() throws Exception {
        makeZombie();
        while (saved == null) {
            System.gc();
            System.runFinalization();
            Thread.sleep(1);
        }
        // Used after finalize() has ended, not while it ends.
        while (isIn("Faulty$Zombie", finalizer)) Thread.onSpinWait();
        System.out.println("age: " + saved.getAge());
        makeGhost();
        while (ghosts.isEmpty()) {
            System.gc();
            System.runFinalization();
            Thread.sleep(1);
        }
        System.out.println("ghosts: " + ghosts.size());
    }

    static boolean isIn(String className, Thread thread) {
        for (StackTraceElement frame : thread.getStackTrace()) {
            if (frame.getClassName().equals(className)) return true;
        }
        return false;
    }

    static void makeZombie() { new Zombie(); }

    static final List<Object> ghosts = Collections.synchronizedList(new ArrayList<>());

    static class Ghost {
        @SuppressWarnings({"deprecation", "removal"})
        @Override protected void finalize() { ghosts.add(this); }
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

    static void listenerKept() {
        Model model = new Model();
        for (int i = 0; i < 3; ++i) model.addListener(new View());
        System.out.println("listeners: " + model.listeners.size());
        Model twice = new Model();
        View view = new View();
        open(twice, view);
        select(twice, view);
        System.out.println("listeners: " + twice.listeners.size());
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
                if (isEmpty()) filled.await();
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
            if (isSilent()) wait();
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
                String tea = new String("tea");
                if (prices.get(tea) != null) return;
                asked.countDown();
                try {
                    asked.await();
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
                prices.put(tea, 3);
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
        inThread("seller", () -> bothHeld(till, stock));
        inThread("guard", () -> heldThenLocked(stock, door));
        inThread("thief", () -> lockedThenHeld(stock, door));
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

    static void lockedThenHeld(Object second, ReentrantLock first) {
        first.lock();
        try {
            synchronized (second) {
                System.out.println("locked, then held");
            }
        } finally {
            first.unlock();
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
