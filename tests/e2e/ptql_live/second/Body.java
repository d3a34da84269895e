/** The same methods as those of Body.java beside this folder, with other instructions. */
public class Body extends Redefined.Base {
    final int number;

    public Body(int number) throws Exception {
        super(Redefined.during(number));
        int shift = 0;
        try {
            shift = Integer.parseInt("2000000");
        } finally {
            this.number = number + shift;
        }
    }

    static int value(int n) { return Math.addExact(n, 2_000_000); }

    static int hot(int n) {
        int sum = n;
        for (int i = 0; i < 2; i++) sum += 1_000_000;
        return sum;
    }

    static int across(int n) throws Exception { return value(n) + 20_000_000; }

    int on(int n) {
        synchronized (this) {
            return n + number;
        }
    }
}
