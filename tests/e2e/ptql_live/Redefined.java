import java.lang.instrument.ClassDefinition;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.ProtectionDomain;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * An agent and the program it changes: the class Body gets other bodies while it is used.
 *
 * Argument of the program: the folder with the folders `first` and `second`, each with a Body.class
 */
public class Redefined {
    static Instrumentation instrumentation;
    static Path bodies;

    static class Base {
        Base(int number) {
            if (number == 6) throw new IllegalStateException("six");
        }
    }

    public static void premain(String argument, Instrumentation given) {
        instrumentation = given;
    }

    static void become(String which) throws Exception {
        byte[] bytes = Files.readAllBytes(bodies.resolve(which).resolve("Body.class"));
        instrumentation.redefineClasses(new ClassDefinition(Body.class, bytes));
    }

    // While the constructors of 4 and 6 evaluate what they give to their superclass's.
    static int during(int number) throws Exception {
        if (number == 4 || number == 6) become("second");
        return number;
    }

    // The first body with another constant in place of 1,000,000.
    static byte[] patched(byte[] bytes) {
        ByteBuffer buffer = ByteBuffer.wrap(bytes.clone());
        for (int i = 0; i + 4 <= bytes.length; i++) {
            if (buffer.getInt(i) == 1_000_000) buffer.putInt(i, 3_000_000);
        }
        return buffer.array();
    }

    static void retransform() throws Exception {
        ClassFileTransformer transformer = new ClassFileTransformer() {
            @Override
            public byte[] transform(ClassLoader loader, String name, Class<?> type, ProtectionDomain domain, byte[] bytes) {
                return "Body".equals(name) ? patched(bytes) : null;
            }
        };
        instrumentation.addTransformer(transformer, true);
        instrumentation.retransformClasses(Body.class);
        Body.value(30);
        instrumentation.removeTransformer(transformer);
        instrumentation.retransformClasses(Body.class);
        Body.value(31);
    }

    // Another thread calls while the body changes again and again.
    static int busily() throws Exception {
        AtomicInteger calls = new AtomicInteger();
        Thread busy = new Thread(() -> {
            for (int i = 0; i < 20_000; i++) {
                Body.hot(i);
                calls.incrementAndGet();
            }
        }, "busy");
        busy.start();
        int changes = 0;
        while (busy.isAlive() || changes < 2) become(changes++ % 2 == 0 ? "second" : "first");
        busy.join();
        become("first");
        return calls.get();
    }

    public static void main(String[] arguments) throws Exception {
        bodies = Path.of(arguments[0]);
        int sum = Body.value(0) + Body.value(1);
        Body early = new Body(1);
        become("second");
        sum += Body.value(2) + early.on(10);
        become("first");
        sum += Body.across(3);
        become("first");
        Body made = new Body(4);
        sum += made.on(20) + new Body(5).on(21);
        become("first");
        try {
            new Body(6);
        } catch (IllegalStateException expected) {
            sum++;
        }
        become("first");
        sum += Body.value(7);
        retransform();
        System.out.println("went well: " + sum + " " + busily());
    }
}
