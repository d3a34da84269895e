package copse.test;

import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.extension.DynamicTestInvocationContext;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.platform.commons.support.AnnotationSupport;
import org.opentest4j.AssertionFailedError;

/**
 * Records test methods for ExpectCalls and MatchesBaseline, which register it. A test that fails by itself fails as
 * without them.
 */
public final class CopseExtension implements InvocationInterceptor {
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
    public void interceptDynamicTest(Invocation<Void> invocation, DynamicTestInvocationContext call,
                                     ExtensionContext context) throws Throwable {
        record(invocation, context);
    }

    private static void record(Invocation<Void> invocation, ExtensionContext context) throws Throwable {
        // The method, its class, and the classes around it. Turns of a test template have its method, too; dynamic tests have none.
        Set<AnnotatedElement> elements = new LinkedHashSet<>();
        for (ExtensionContext at = context; at != null; at = at.getParent().orElse(null)) {
            at.getElement().ifPresent(elements::add);
        }
        Set<ExpectCalls> expectations = new LinkedHashSet<>();
        Optional<MatchesBaseline> baseline = Optional.empty();
        for (AnnotatedElement element : elements) {
            expectations.addAll(AnnotationSupport.findRepeatableAnnotations(element, ExpectCalls.class));
            if (element instanceof Method) baseline = AnnotationSupport.findAnnotation(element, MatchesBaseline.class);
        }
        for (ExpectCalls expected : expectations) checkBounds(expected);
        boolean ofAllThreads = baseline.isPresent() && baseline.get().allThreads();
        for (ExpectCalls expected : expectations) ofAllThreads = ofAllThreads || expected.allThreads();
        if (ofAllThreads) checkIsAlone(context, elements);

        Outcome<Void> outcome = new Outcome<>();
        Recording[] own = new Recording[1];
        Copse.Body<RuntimeException> recorded = () -> own[0] = Copse.record(() -> outcome.of(invocation));
        Recording all = ofAllThreads ? Copse.recordAllThreads(recorded) : null;
        if (!ofAllThreads) recorded.run();
        outcome.result();

        List<String> failures = new ArrayList<>();
        for (ExpectCalls expected : expectations) {
            failure(expected, ofTheTest(expected.allThreads() ? all : own[0])).ifPresent(failures::add);
        }
        if (baseline.isPresent()) {
            Recording is = ofTheTest(baseline.get().allThreads() ? all : own[0]);
            new BaselineCheck(baseline.get(), is).failure().ifPresent(failures::add);
        }
        if (!failures.isEmpty()) throw new AssertionFailedError(String.join("\n", failures));
    }

    /** What a test returned or threw. */
    static final class Outcome<T> {
        private T returned;
        private Throwable thrown;

        void of(Invocation<T> invocation) {
            try {
                returned = invocation.proceed();
            } catch (Throwable e) {
                thrown = e;
            }
        }

        T result() throws Throwable {
            if (thrown != null) throw thrown;
            return returned;
        }
    }

    /** Contexts begin with the test, not with what JUnit does to call it. */
    static Recording ofTheTest(Recording recording) {
        return recording.below(method -> method.className.startsWith("org.junit."));
    }

    /** Calls of other tests would count for this one. */
    private static void checkIsAlone(ExtensionContext context, Set<AnnotatedElement> elements) {
        boolean isParallel = context.getConfigurationParameter("junit.jupiter.execution.parallel.enabled")
            .map(Boolean::parseBoolean).orElse(false);
        for (AnnotatedElement element : elements) isParallel &= !AnnotationSupport.isAnnotated(element, Isolated.class);
        if (isParallel) {
            throw new ExtensionConfigurationException("copse: allThreads = true: JUnit runs other tests at the same time, whose"
                + " calls would count; annotate the test class with @Isolated");
        }
    }

    private static void checkBounds(ExpectCalls expected) {
        boolean isExact = expected.exactly() >= 0;
        boolean isRange = expected.atLeast() >= 0 || expected.atMost() >= 0;
        if (isExact == isRange) {
            throw new ExtensionConfigurationException("copse: @ExpectCalls(of = \"" + expected.of()
                + "\"): needs exactly, or atLeast and atMost, or one of them");
        }
    }

    private static Optional<String> failure(ExpectCalls expected, Recording recording) {
        CallPattern pattern = CallPattern.of(expected.of(), expected.under());
        long calls = recording.calls(pattern.toString());
        boolean holds = expected.exactly() >= 0 ? calls == expected.exactly()
            : calls >= expected.atLeast() && (expected.atMost() < 0 || calls <= expected.atMost());
        if (holds) return Optional.empty();
        List<String> notCounted = recording.notCounted(pattern.toString());
        return Optional.of(calls + (calls == 1 ? " call of " : " calls of ") + pattern + (expected.allThreads()
            ? " in all threads" : "") + ", expected " + bounds(expected)
            + (calls == 0 ? "" : " (@N: called at line N of the frame above):\n"
                + recording.tree(pattern.toString()).stripTrailing())
            + (notCounted.isEmpty() ? "" : "\nnot counted, or not completely:\n  " + String.join("\n  ", notCounted)));
    }

    private static String bounds(ExpectCalls expected) {
        if (expected.exactly() >= 0) return "exactly " + expected.exactly();
        if (expected.atMost() < 0) return "at least " + expected.atLeast();
        String least = expected.atLeast() > 0 ? "at least " + expected.atLeast() + " and " : "";
        return least + "at most " + expected.atMost();
    }
}
