import copse.test.Copse;
import copse.test.Recording;

/** Counts natives by a recording of its own. */
public class InTest {
    static native int f(int times);
    static int h(int n) { return n; }

    public static void main(String[] args) throws Exception {
        System.load(args[0]);
        f(1);
        Recording recording = Copse.record(() -> { f(2); f(3); h(0); });
        for (String pattern : new String[] {"InTest.f", "InTest.h", "InTest.h under InTest.f"}) {
            System.out.println(recording.calls(pattern));
        }
        System.out.println(f(4));
    }
}
