import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntConsumer;
import java.util.function.Supplier;

/** Uses results in every way, and ignores some: the argument says which, below 100 those that are ignored. */
public class Ignored {
    static Object object(int n) { return n; }
    static int number(int n) { return n; }
    static long wide(int n) { return n; }
    static float real(int n) { return n; }
    static double large(int n) { return n; }
    static boolean flag(int n) { return n > 0; }
    @SuppressWarnings("unchecked")
    static <T> T generic(int n) { return (T) Integer.valueOf(n); }
    Object own(int n) { return n; }
    static void nothing(int n) {}

    static Object field;
    static int loops;

    static Object returned() { return object(100); }

    static void ignoring() {
        object(1);
        number(2);
        wide(3);
        large(4);
        new Ignored().own(5);
        Object first = object(6);
        int second = number(7);
        long third = wide(8);
        float fourth = real(9);
        double fifth = large(10);
        boolean sixth = flag(11);
        Integer seventh = generic(12);
        IntConsumer dropping = n -> object(n);
        dropping.accept(13);
        try {
            Object eighth = object(14);
        } finally {
            object(15);
        }
        synchronized (Ignored.class) {
            Object ninth = object(16);
        }
        for (int i = 0; i < 2; ++i) object(17);
        switch (args) {
            case 0: object(18); break;
            default: object(19); break;
        }
    }

    static int args;

    static void using() throws Exception {
        field = object(101);
        Object[] array = {object(102), null};
        array[1] = object(103);
        List<Object> list = new ArrayList<>();
        list.add(object(104));
        System.out.println("used: " + object(105) + array.length + list.size() + returned());
        if (flag(106)) loops += number(107);
        long sum = wide(108) + (long) large(109);
        Object kept = object(110);
        String text = "kept: " + kept + sum;
        Object last = null;
        for (int i = 0; i < 2; ++i) {
            if (last != null) text += last;
            last = object(111);
        }
        Object caught = object(112);
        try {
            throw new IllegalStateException();
        } catch (IllegalStateException expected) {
            text += caught;
        }
        Supplier<Object> later = () -> object(113);
        Integer generic = generic(114);
        text += later.get() + text + generic;
        int counted = number(115);
        ++counted;
        Object monitor = object(116);
        synchronized (monitor) {
            ++loops;
        }
        switch (number(117)) {
            case 1: ++loops; break;
            default: break;
        }
        System.out.println("texts: " + (text.length() > 0));
        Method reflected = Ignored.class.getDeclaredMethod("object", int.class);
        reflected.invoke(null, 200);
        nothing(300);
    }

    public static void main(String[] words) throws Exception {
        ignoring();
        using();
        System.out.println("went well");
    }
}
