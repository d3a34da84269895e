// An exception without a handler: in a thread, then in main (exit status 1, stack trace as ever).
public class Uncaught {
    static int step(int n) { return n + 1; }
    static int dive(int n) {
        if (step(n) == 1) throw new IllegalStateException("at the bottom");
        return dive(n - 1) + step(n);
    }

    public static void main(String[] args) throws InterruptedException {
        Thread thread = new Thread(() -> dive(5), "doomed");
        thread.start();
        thread.join();
        System.out.println("before " + step(1));
        dive(20);
    }
}
