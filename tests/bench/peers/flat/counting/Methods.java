package flatcounter;

import java.util.ArrayList;
import java.util.List;

/** The numbers that methods get, and their names. */
public final class Methods {
    static final int MOST = 1 << 20;
    private static final List<String> names = new ArrayList<>();
    private static final List<String> skipped = new ArrayList<>();

    public static synchronized int number(String name) {
        if (names.size() == MOST) throw new IllegalStateException("more than " + MOST + " methods");
        names.add(name);
        return names.size() - 1;
    }

    public static synchronized void skip(String why) { skipped.add(why); }

    static synchronized String[] names() { return names.toArray(new String[0]); }

    static synchronized String[] skipped() { return skipped.toArray(new String[0]); }
}
