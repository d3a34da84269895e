package copse.test;

import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * How often a test method, or each of a class, may call some methods. The test fails when it does not; where Copse
 * does not record the JVM, it is skipped. What a class expects holds in its subclasses and its nested classes as well, what an
 * interface expects in the classes that implement it. An annotation may have it in place of the test.
 *
 * <pre>
 *     {@literal @}Test
 *     {@literal @}ExpectCalls(of = "com.acme.Dao.query", under = "Handler.get", atMost = 1)
 *     void asksOnce() { handler.get(7); }
 * </pre>
 *
 * <p>What JUnit calls before and after the method, such as its BeforeEach methods, does not count.
 */
@Target({ElementType.METHOD, ElementType.TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@Repeatable(ExpectCalls.All.class)
@ExtendWith(CopseExtension.class)
public @interface ExpectCalls {
    /** A glob of methods (Recording). */
    String of();

    /** Only calls with such a method somewhere above them. */
    String under() default "";

    long exactly() default -1;

    long atLeast() default -1;

    long atMost() default -1;

    /** Of all threads; otherwise that of the test. Where JUnit runs tests in parallel, the test must be isolated. */
    boolean allThreads() default false;

    @Target({ElementType.METHOD, ElementType.TYPE})
    @Retention(RetentionPolicy.RUNTIME)
    @Inherited
    @ExtendWith(CopseExtension.class)
    @interface All {
        ExpectCalls[] value();
    }
}
