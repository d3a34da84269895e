import java.util.ArrayList;
import java.util.List;

/**
 * Few of its calls lead to write(). With an argument more of them do than in a run without: "detour", by a branch of a
 * method that is there before; "later", by a class that is not loaded otherwise; "forever", below a frame that never
 * ends; "same", by a way that has the same call site and callee as another.
 */
public class Ways {
    interface Step { void take(int n); }

    static class Quiet implements Step {
        public void take(int n) { compute(n); }
    }

    static class Loud implements Step {
        public void take(int n) { save(n); }
    }

    static final int ROUNDS = 2000;
    static String way = "";
    static int sink;

    static void write(int n) { sink += n; }
    static void store(int n) { write(n); }
    static void save(int n) { store(n); }

    static int twice(int n) { return sink ^ n * 2; }
    static int compute(int n) { return more(n) + 1; }
    static int more(int n) { return twice(n) - twice(n + 1); }

    static void round(int n) {
        work(n);
        if (n % 10 == 0) save(n);
    }
    static void work(int n) {
        compute(n);
        branch(n);
        each(n);
    }
    static void branch(int n) {
        if (way.equals("detour")) save(n);
        else compute(n);
    }
    static Step step;
    static void each(int n) { steps(n).forEach(s -> s.take(n)); }
    static List<Step> steps(int n) {
        if (step == null) step = way.equals("later") ? new Loud() : new Quiet();
        List<Step> steps = new ArrayList<>();
        steps.add(step);
        return steps;
    }

    static void forever(int n) {
        for (int i = 0; i < n; i++) work(i);
        if (way.equals("forever")) for (int i = 0; i < n; i++) save(i);
    }

    static void either(Step first, int n) { first.take(n); }
    static final Step DIRECT = new Step() {
        public void take(int n) { save(n); }
    };
    static final Step ROUNDABOUT = new Step() {
        public void take(int n) { hidden(n); }
    };
    static void hidden(int n) {
        if (way.equals("same")) DIRECT.take(n);
        else compute(n);
    }

    public static void main(String[] arguments) throws Exception {
        if (arguments.length != 0) way = arguments[0];
        for (int n = 0; n < ROUNDS; n++) {
            round(n);
            // A class loaded again while it runs is there for the other three quarters.
            if (n == ROUNDS / 4 - 1 && !way.isEmpty()) Thread.sleep(2000);
        }
        forever(100);
        for (int n = 0; n < 200; n++) {
            either(DIRECT, n);
            either(ROUNDABOUT, n);
        }
        System.out.println(sink);
    }
}
