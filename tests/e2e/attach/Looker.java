import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.security.ProtectionDomain;

/** An agent that looks at every class, loaded or loaded again, and leaves it as it is. */
public class Looker implements ClassFileTransformer {
    static volatile int seen;

    static int look(byte[] bytes) { return bytes.length & 1; }

    public byte[] transform(ClassLoader loader, String name, Class<?> type, ProtectionDomain domain, byte[] bytes) {
        seen += look(bytes);
        return null;
    }
    public static void premain(String arguments, Instrumentation instrumentation) {
        instrumentation.addTransformer(new Looker(), true);
    }
}
