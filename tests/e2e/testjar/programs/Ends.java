import copse.test.Copse;
import copse.test.Recording;

/** Ends in one of several ways while, or after, something is recorded. */
public class Ends {
    static int depth;

    static int work(int n) { return n == 0 ? 0 : 1 + work(n - 1); }

    static void deeper() {
        depth++;
        deeper();
    }

    /** A recording in a recording, until the stack is full: some have no end. */
    static void recordDeeper() {
        depth++;
        Copse.record(Ends::recordDeeper);
    }

    static void catches(Copse.Body<RuntimeException> body) {
        try {
            body.run();
            throw new Error("there was no end");
        } catch (StackOverflowError e) {
            System.out.println("caught");
        }
    }

    public static void main(String[] args) throws Exception {
        switch (args[0]) {
            case "exit":
                Copse.record(() -> { work(9); System.exit(3); });
                break;
            case "halt":
                Copse.record(() -> { work(9); Runtime.getRuntime().halt(4); });
                break;
            case "wait":
                Copse.record(() -> {
                    work(9);
                    System.out.println("ready " + ProcessHandle.current().pid());
                    System.in.read();
                });
                break;
            case "detach":
                try {
                    Copse.record(() -> {
                        work(9);
                        System.out.println("ready");
                        System.in.read();
                    });
                } catch (IllegalStateException e) {
                    System.out.println(e.getMessage());
                }
                try {
                    Copse.record(() -> work(1));
                } catch (IllegalStateException e) {
                    System.out.println(e.getMessage());
                }
                break;
            case "merged":
                Recording merged = Copse.record(() -> work(9));
                System.out.println(merged.calls("Ends.work") + " " + Copse.record(() -> work(0)).calls("Ends.work under Ends"));
                try {
                    merged.calls("Ends.work under Ends.work");
                } catch (IllegalStateException e) {
                    System.out.println(e.getMessage());
                }
                break;
            case "overflow":
                catches(() -> Copse.record(Ends::deeper));
                for (int i = 0; i < 5; i++) {
                    catches(Ends::recordDeeper);
                    Recording[] inner = new Recording[1];
                    Recording r = Copse.record(() -> { work(9); inner[0] = Copse.record(() -> work(4)); });
                    if (r.calls("Ends.work") != 15 || inner[0].calls("Ends.work") != 5) throw new Error(r.tree("Ends"));
                }
                System.out.println("depth " + depth);
                break;
            default:
                System.out.println(Copse.isAvailable());
                System.out.println(Copse.record(() -> work(9)).calls("Ends.work"));
        }
    }
}
