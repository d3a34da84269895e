// Synchronized methods and blocks, left by return and by exception, and re-entered.
// e2e: jdk-below Synchronized.measured
public class Synchronized {
    private int value;
    synchronized int add(int n) { return n == 0 ? value : add(n - 1) + own(1); }
    synchronized int own(int n) { value = (value + n) & 1023; return value; }
    static synchronized int shared(int n) { return n + 1; }
    synchronized int failing(int n) {
        if (n == 0) throw new IllegalStateException();
        return failing(n - 1) + own(n);
    }
    int block(Object lock, int n) {
        synchronized (lock) {
            synchronized (this) {
                own(1);
                if (n % 3 == 0) throw new IllegalStateException();
                return own(n);
            }
        }
    }
    int guarded(int n) {
        try {
            return block(new Object(), n);
        } catch (IllegalStateException e) {
            synchronized (this) { return shared(own(2)); }
        }
    }

    static int work() {
        Synchronized s = new Synchronized();
        int sum = 0;
        for (int i = 0; i < 3000; i++) {
            sum += s.add(4) + shared(i) + s.guarded(i);
            try { s.failing(5); } catch (IllegalStateException e) { sum += s.own(3); }
        }
        return sum;
    }

    /** Called after rehearsals: nothing is loaded or linked below it any more. */
    static int measured() { return work(); }

    public static void main(String[] args) {
        System.out.println("synchronized " + work() + " " + work() + " " + measured());
    }
}
