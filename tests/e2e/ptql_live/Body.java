/** What Redefined changes while it runs; second/Body.java is the other body. */
public class Body extends Redefined.Base {
    final int number;

    public Body(int number) throws Exception {
        super(Redefined.during(number));
        this.number = number + 1_000_000;
        value(number);
    }

    static int value(int n) { return n + 1_000_000; }

    static int hot(int n) { return n + 1_000_000; }

    // Goes on with this body when the class has another one.
    static int across(int n) throws Exception {
        Redefined.become("second");
        return value(n) + 10_000_000;
    }

    int on(int n) { return n + number; }
}
