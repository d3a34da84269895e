package copse.test;

import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.junit.jupiter.api.extension.DynamicTestInvocationContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;

/**
 * Keeps a recording of each test and of what runs before and after it, in the folder that the property
 * {@code copse.tests} names, for {@code copse tests}. JUnit finds it by itself with
 * {@code junit.jupiter.extensions.autodetection.enabled=true}. Without the property, or without Copse in this JVM, it does
 * nothing.
 */
public final class EachTest implements InvocationInterceptor {
    private static final String FOLDER = System.getProperty("copse.tests");
    private static final int LONGEST_NAME = 150;  // a file's may have 255 bytes
    // Both are guarded by the class.
    private static final Map<String, Integer> RECORDINGS = new HashMap<>();  // by test
    private static final List<Turn> RUNNING = new ArrayList<>();

    /** What runs of a test, before or after it. */
    private static final class Turn {
        final String test;
        final Thread thread = Thread.currentThread();
        final SortedSet<String> beside = new TreeSet<>();  // tests that ran at the same time
        boolean sharesItsThread;  // one of them ran in the middle of this turn, on the same thread

        Turn(String test) {
            this.test = test;
        }
    }

    @Override
    public void interceptBeforeEachMethod(Invocation<Void> invocation, ReflectiveInvocationContext<Method> call,
                                          ExtensionContext context) throws Throwable {
        record(invocation, context);
    }

    @Override
    public void interceptTestMethod(Invocation<Void> invocation, ReflectiveInvocationContext<Method> call,
                                    ExtensionContext context) throws Throwable {
        record(invocation, context);
    }

    @Override
    public void interceptTestTemplateMethod(Invocation<Void> invocation, ReflectiveInvocationContext<Method> call,
                                            ExtensionContext context) throws Throwable {
        record(invocation, context);
    }

    @Override
    public <T> T interceptTestFactoryMethod(Invocation<T> invocation, ReflectiveInvocationContext<Method> call,
                                            ExtensionContext context) throws Throwable {
        return record(invocation, context);
    }

    @Override
    public void interceptDynamicTest(Invocation<Void> invocation, DynamicTestInvocationContext call,
                                     ExtensionContext context) throws Throwable {
        record(invocation, context);
    }

    @Override
    public void interceptAfterEachMethod(Invocation<Void> invocation, ReflectiveInvocationContext<Method> call,
                                         ExtensionContext context) throws Throwable {
        record(invocation, context);
    }

    private static <T> T record(Invocation<T> invocation, ExtensionContext context) throws Throwable {
        if (FOLDER == null || !Copse.isAvailable()) return invocation.proceed();
        Turn turn = begin(test(context));
        CopseExtension.Outcome<T> outcome = new CopseExtension.Outcome<>();
        Recording recording;
        try {
            recording = Copse.recordTest(() -> outcome.of(invocation));
        } finally {
            end(turn);
        }
        try {
            keep(turn, recording);
        } catch (IOException | IllegalStateException e) {
            // The test ends as it would without Copse.
            System.err.println("copse: " + turn.test + ": not kept in " + FOLDER + ": " + e);
        }
        return outcome.result();
    }

    /** A dynamic test is one of the method that made it. */
    private static String test(ExtensionContext context) {
        ExtensionContext at = context;
        while (at.getTestMethod().isEmpty()) at = at.getParent().orElseThrow();
        return at.getRequiredTestClass().getName() + "." + at.getRequiredTestMethod().getName();
    }

    private static synchronized Turn begin(String test) {
        Turn turn = new Turn(test);
        for (Turn other : RUNNING) {
            other.beside.add(test);
            turn.beside.add(other.test);
            other.sharesItsThread |= other.thread == turn.thread;
        }
        RUNNING.add(turn);
        return turn;
    }

    private static synchronized void end(Turn turn) {
        RUNNING.remove(turn);
    }

    /** Calls that may be of a test beside it have a file of their own. */
    private static void keep(Turn turn, Recording recording) throws IOException {
        if (turn.beside.isEmpty() || turn.sharesItsThread) {
            CopseExtension.ofTheTest(recording).save(file(turn.test), turn.test, turn.beside);
            return;
        }
        CopseExtension.ofTheTest(recording.ofItsThread()).save(file(turn.test), turn.test, Set.of());
        Recording others = CopseExtension.ofTheTest(recording.ofOtherThreads());
        if (others.contexts().size() != 0) others.save(file(turn.test), turn.test, turn.beside);
    }

    /** A file for one more recording of the test. Those of an earlier JVM are removed before the first. */
    private static synchronized Path file(String test) throws IOException {
        Path folder = Path.of(FOLDER);
        Files.createDirectories(folder);
        int number = RECORDINGS.merge(test, 1, Integer::sum);
        for (int old = 1; number == 1 && Files.deleteIfExists(folder.resolve(name(test, old))); old++) {}
        return folder.resolve(name(test, number));
    }

    private static String name(String test, int number) {
        String name = test.replaceAll("[^A-Za-z0-9_.$-]", "_");
        boolean isWhole = name.equals(test) && name.length() <= LONGEST_NAME;
        String begin = name.substring(0, Math.min(name.length(), LONGEST_NAME));
        return begin + (isWhole ? "" : "-" + Integer.toHexString(test.hashCode())) + "-" + number + ".json";
    }
}
