import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.Collections;
import java.util.function.IntUnaryOperator;

/** One class per thing that a rewriter has to get right; see make_corpus.py. */
class SeedBranches {
    static int loops(int n, long m, Object o) {
        int sum = 0;
        for (int i = 0; i < n; i++) {
            if ((i & 1) == 0 && m > i || o == null) sum += i;
            else sum -= Math.abs(i);
        }
        return sum;
    }

    static String table(int n) {
        switch (n) {
            case 0: return "zero";
            case 1: return "one".trim();
            case 3: return "three";
            default: return String.valueOf(n);
        }
    }

    static int lookup(String s) {
        switch (s) {
            case "a": return 1;
            case "longer": return 2;
            default: return s.length() > 3 ? 7 : 8;
        }
    }
}

class SeedHandlers {
    private int count;

    int all(Object lock, int[] values) {
        synchronized (lock) {
            try {
                return values[count] / values[0];
            } catch (ArithmeticException | ArrayIndexOutOfBoundsException e) {
                count = e.hashCode();
            } finally {
                count++;
            }
        }
        return new Integer(count > 3 ? 1 : 2).intValue();
    }
}

class SeedAnnotations {
    @Target(ElementType.TYPE_USE)
    @Retention(RetentionPolicy.RUNTIME)
    @interface Mark {
        int[] value() default {};
    }

    static Object all(Object in) {
        @Mark({1, 2}) String local = in instanceof @Mark String ? (@Mark String) in : new @Mark String();
        try (java.io.StringReader resource = new java.io.StringReader(local)) {
            resource.read();
        } catch (java.io.@Mark IOException e) {
            return e;
        }
        IntUnaryOperator f = x -> x + local.length();
        return Collections.<@Mark Integer>singletonList(f.applyAsInt(3));
    }
}
