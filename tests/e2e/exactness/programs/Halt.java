// Runtime.halt from deep inside a second thread.
public class Halt {
    static int step(int n) { return n + 1; }
    static int dive(int n) {
        if (step(n) == 1) Runtime.getRuntime().halt(5);
        return dive(n - 1) + step(n);
    }

    public static void main(String[] args) throws InterruptedException {
        System.out.println("before " + step(1));
        Thread thread = new Thread(() -> dive(40));
        thread.start();
        thread.join();
    }
}
