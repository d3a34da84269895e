/** Throws without end, and says after every thousand how many thousands there were. */
public class ThrowsUntilKilled {
    static class Mine extends RuntimeException {
        Mine() {
            super(null, null, false, false);
        }
    }

    static void fail() {
        throw new Mine();
    }

    static void turn() {
        try {
            fail();
        } catch (Mine expected) {
        }
    }

    public static void main(String[] args) {
        System.out.println("ready");
        for (int thousands = 1;; thousands++) {
            for (int i = 0; i < 1000; i++) turn();
            System.out.println(thousands + " " + ProcessHandle.current().pid());
        }
    }
}
