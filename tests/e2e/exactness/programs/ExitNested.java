// System.exit from deep inside, with a shutdown hook that calls the application.
public class ExitNested {
    static int step(int n) { return n + 1; }
    static int dive(int n) {
        if (step(n) == 1) System.exit(3);
        return dive(n - 1) + step(n);
    }

    public static void main(String[] args) {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("hook " + step(step(1)))));
        System.out.println("before");
        try { dive(30); } finally { System.out.println("never"); }
    }
}
