// Exceptions of every making, caught at every level, with finally, rethrow and suppression.
// e2e: jdk-below Exceptions.measured
// e2e: jdk-below Exceptions.brokenClass
public class Exceptions {
    static class Oops extends RuntimeException {
        final int level;
        Oops(int level) { super("oops", null, false, false); this.level = level; }
    }
    static class Gate implements AutoCloseable {
        Gate() { touch(1); }
        @Override public void close() { touch(2); throw new Oops(-1); }
    }
    static class Fragile {
        Fragile(int n) { if (touch(n) > 0) throw new Oops(n); }
    }
    static class Broken {
        static int value = fail();
        static int fail() { throw new Oops(77); }
        static int get() { return value; }
    }
    static int touched;
    static int touch(int n) { touched += n; return n; }

    static int sink(int depth, int catchAt) {
        if (depth == 0) throw new Oops(catchAt);
        if (depth == catchAt) {
            try {
                return sink(depth - 1, catchAt);
            } catch (Oops e) {
                return touch(e.level) + depth;
            }
        }
        return sink(depth - 1, catchAt) + touch(1);
    }
    static int rethrowing(int depth) {
        try {
            if (depth == 0) throw new Oops(1);
            return rethrowing(depth - 1);
        } catch (Oops e) {
            touch(1);
            throw e;
        } finally {
            touch(2);
        }
    }
    static int nested() {
        int n = 0;
        try {
            try {
                touch(3);
                throw new Oops(1);
            } catch (Oops e) {
                n += touch(4);
                throw new IllegalStateException(e.getMessage());
            } finally {
                n += touch(5);
                try { new Fragile(9); } catch (Oops e) { n += touch(6); }
            }
        } catch (IllegalStateException e) {
            return n + touch(7);
        }
    }
    @SuppressWarnings("finally")
    static int swallowing() {
        for (int i = 0; i < 3; i++) {
            try { throw new Oops(i); } finally { touch(i); if (i == 1) continue; break; }
        }
        return touch(8);
    }
    static int suppressed() {
        try (Gate a = new Gate(); Gate b = new Gate()) {
            touch(3);
            throw new Oops(1);
        } catch (Oops e) {
            return e.getSuppressed().length + touch(1);
        }
    }
    static int madeByVm(int kind, Object o, int[] a) {
        try {
            switch (kind % 6) {
                case 0: return o.hashCode();
                case 1: return a[a.length];
                case 2: return touch(5) / (a.length - 2);
                case 3: return ((String) (Object) a.getClass()).length();
                case 4: return new int[-a.length].length;
                default: return inlineNull(null) + touch(1);
            }
        } catch (NullPointerException | ArithmeticException e) {
            return touch(1);
        } catch (ArrayIndexOutOfBoundsException e) {
            return touch(2);
        } catch (RuntimeException e) {
            return touch(3);
        }
    }
    static int inlineNull(String s) { return s.length() + touch(100); }
    static int brokenClass() {
        try {
            return Broken.get();
        } catch (ExceptionInInitializerError | NoClassDefFoundError e) {
            return touch(11);
        }
    }

    static int work() {
        int sum = 0;
        for (int i = 0; i < 400; i++) {
            for (int catchAt = 1; catchAt <= 12; catchAt++) sum += sink(12, catchAt);
            try { rethrowing(8); } catch (Oops e) { sum += touch(1); }
            sum += nested() + swallowing() + suppressed() + brokenClass();
            for (int kind = 0; kind < 6; kind++) sum += madeByVm(kind, null, new int[2]);
        }
        return sum;
    }

    /** Called after rehearsals: nothing is loaded or linked below it any more. */
    static int measured() { return work(); }

    public static void main(String[] args) {
        int sum = work();
        sum += work();
        System.out.println("exceptions " + sum + " " + touched + " " + measured());
    }
}
