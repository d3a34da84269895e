// OutOfMemoryError, caught at several depths, and at last not caught: exit status 1, stack trace as ever.
// An array of the largest size asks for more than any heap has here, so nothing has to be filled.
public class OutOfMemory {
    static Object kept;

    static void grow() { kept = new long[Integer.MAX_VALUE - 8][]; }
    static int step(int n) { return n + 1; }
    static int dive(int n) {
        if (n == 0) {
            grow();
            return step(0);
        }
        return step(dive(n - 1));
    }
    static int caught(int depth) {
        try {
            return dive(depth);
        } catch (OutOfMemoryError e) {
            return -step(depth);
        } finally {
            step(depth);
        }
    }

    public static void main(String[] args) throws InterruptedException {
        int sum = 0;
        for (int i = 0; i < 8; i++) sum += caught(i);
        Thread thread = new Thread(() -> dive(3), "doomed");
        thread.start();
        thread.join();
        System.out.println("sum " + sum + " " + step(1));
        dive(5);
    }
}
