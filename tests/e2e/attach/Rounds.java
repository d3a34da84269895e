import java.io.BufferedReader;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.locks.LockSupport;

/** Does what it is told on standard input, a line at a time, and answers each line when it is done. */
public class Rounds {
    static volatile boolean spinning;
    static final List<Thread> spinners = new ArrayList<>();

    static int leaf(int n) { return n + 1; }

    static int step(int n) {
        try {
            if (n % 3 == 0) throw new IllegalStateException();
            return leaf(n);
        } catch (IllegalStateException thrown) {
            return leaf(leaf(n) - 1);
        }
    }

    static int steps(int count) {
        int sum = 0;
        for (int i = 0; i < count; i++) sum = step(sum);
        return sum;
    }

    /** First loaded when it is first asked for. */
    static class Late {
        static int called(int n) { return leaf(n); }
    }

    static void spin() {
        int sum = 0;
        while (spinning) sum = step(sum);
    }

    static void rest() {
        while (spinning) LockSupport.parkNanos(10_000_000);
    }

    static int inner(int n) { return n * 31 + 1; }

    static int outer(int n) { return inner(n) + 1; }

    static void pair() {
        int sum = 0;
        while (spinning) sum = outer(sum);
    }

    static final SynchronousQueue<Integer> asked = new SynchronousQueue<>();
    static final SynchronousQueue<Integer> done = new SynchronousQueue<>();

    /** Its frame lives for as long as the program, and calls step() whenever it is asked to. */
    static void hold() {
        try {
            for (;;) {
                int sum = 0;
                for (int left = asked.take(); left > 0; left--) sum = step(sum);
                done.put(sum);
            }
        } catch (InterruptedException ended) {
            throw new IllegalStateException(ended);
        }
    }

    static final Object lock = new Object();
    static volatile Object kept;

    static void allocate(int count) {
        for (int i = 0; i < count; i++) kept = new byte[16 * 1024];
    }

    /** Waits once for the monitor that a thread holds until it does. */
    static void contend() throws InterruptedException {
        Thread waits = new Thread(() -> {
            synchronized (lock) { kept = null; }
        });
        synchronized (lock) {
            waits.start();
            while (waits.getState() != Thread.State.BLOCKED) Thread.onSpinWait();
        }
        waits.join();
    }

    /** The time that passed. */
    static long park(long ms) {
        long begin = System.nanoTime(), end = begin + ms * 1_000_000;
        for (long left = ms * 1_000_000; left > 0; left = end - System.nanoTime()) LockSupport.parkNanos(left);
        return System.nanoTime() - begin;
    }

    static final List<FileInputStream> opened = new ArrayList<>();

    /** Opens so many files, or as many as the system allows. */
    static void open(int most) {
        try {
            for (int i = 0; i < most; i++) opened.add(new FileInputStream("/dev/null"));
        } catch (IOException none) {
            // They are used up.
        }
    }

    static String answer(String command, int count) throws Exception {
        switch (command) {
            case "steps":
                return "sum " + steps(count);
            case "measured":
                allocate(count);
                for (int i = 0; i < 5; i++) contend();
                long parked = park(300);
                steps(count);
                return "measured " + parked;
            case "thread":
                Thread thread = new Thread(() -> steps(count));
                thread.start();
                thread.join();
                return "joined";
            case "virtual":
                Method start = Thread.class.getMethod("startVirtualThread", Runnable.class); // since 21
                List<Thread> started = new ArrayList<>();
                for (int i = 0; i < count; i++) started.add((Thread) start.invoke(null, (Runnable) () -> steps(10)));
                for (Thread virtual : started) virtual.join();
                return "joined virtual";
            case "late":
                return "late " + Late.called(count);
            case "spin":
            case "rest":
            case "pair":
                Runnable turning = command.equals("pair") ? Rounds::pair : command.equals("rest") ? Rounds::rest : Rounds::spin;
                spinning = true;
                for (int i = 0; i < count; i++) {
                    spinners.add(new Thread(turning));
                    spinners.get(i).start();
                }
                return "spinning";
            case "stop":
                spinning = false;
                for (Thread spinner : spinners) spinner.join();
                return "stopped";
            case "hold":
                Thread holder = new Thread(Rounds::hold);
                holder.setDaemon(true);
                holder.start();
            case "held":
                asked.put(count);
                return "held " + done.take();
            case "open":
                open(count);
                return "opened";
            case "close":
                for (FileInputStream file : opened) file.close();
                return "closed";
            default:
                return "what is " + command;
        }
    }

    public static void main(String[] args) throws Exception {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        System.out.println("ready");
        for (String line = in.readLine(); line != null && !line.equals("end"); line = in.readLine()) {
            String[] words = line.split(" ");
            System.out.println(answer(words[0], Integer.parseInt(words[1])));
        }
        System.out.println("bye");
    }
}
