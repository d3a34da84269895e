package copse.test;

import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
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
    private static final Map<String, Integer> RECORDINGS = new ConcurrentHashMap<>();  // by test

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
    public void interceptAfterEachMethod(Invocation<Void> invocation, ReflectiveInvocationContext<Method> call,
                                         ExtensionContext context) throws Throwable {
        record(invocation, context);
    }

    private static void record(Invocation<Void> invocation, ExtensionContext context) throws Throwable {
        if (FOLDER == null || !Copse.isAvailable()) {
            invocation.proceed();
            return;
        }
        Throwable[] thrown = new Throwable[1];
        Recording recording = Copse.recordAllThreads(() -> thrown[0] = CopseExtension.run(invocation));
        String test = context.getRequiredTestClass().getName() + "." + context.getRequiredTestMethod().getName();
        try {
            CopseExtension.ofTheTest(recording).save(file(test), test);
        } catch (IOException | IllegalStateException e) {
            // The test ends as it would without Copse.
            System.err.println("copse: " + test + ": not kept in " + FOLDER + ": " + e);
        }
        if (thrown[0] != null) throw thrown[0];
    }

    /** A file for one more recording of the test. Those of an earlier JVM are removed before the first. */
    private static Path file(String test) throws IOException {
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
