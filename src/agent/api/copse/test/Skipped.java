package copse.test;

/**
 * How a test is told that it cannot say anything: as aborted, where there is OpenTest4J, which JUnit 5 brings
 * along.
 */
final class Skipped {
    private Skipped() {}

    static RuntimeException because(String why) {
        try {
            return Aborted.because(why);
        } catch (NoClassDefFoundError e) {
            return new IllegalStateException("copse: " + why);
        }
    }

    private static final class Aborted {
        static RuntimeException because(String why) {
            return new org.opentest4j.TestAbortedException(why);
        }
    }
}
