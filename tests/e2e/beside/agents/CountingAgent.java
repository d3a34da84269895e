import java.io.PrintWriter;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.security.ProtectionDomain;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Another profiler: at load time, every method of the classes whose name starts with a prefix gets a call
 * that counts its entries. At the end of the program the counts are written to a file, one method a line.
 *
 * Argument: PREFIX:FILE
 */
public final class CountingAgent implements ClassFileTransformer {
    private static final List<String> names = new ArrayList<>();
    private static final LongAdder[] counts = new LongAdder[4096];

    private final String prefix;

    private CountingAgent(String prefix) { this.prefix = prefix; }

    public static void premain(String argument, Instrumentation instrumentation) {
        String[] parts = argument.split(":", 2);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> write(parts[1])));
        instrumentation.addTransformer(new CountingAgent(parts[0]));
    }

    /** What the transformed methods call. */
    public static void hit(int number) { counts[number].increment(); }

    private static void write(String file) {
        try (PrintWriter out = new PrintWriter(file)) {
            synchronized (names) {
                for (int i = 0; i < names.size(); i++) out.println(names.get(i) + "\t" + counts[i].sum());
            }
        } catch (java.io.IOException e) {
            e.printStackTrace();
        }
    }

    private static int number(String name) {
        synchronized (names) {
            counts[names.size()] = new LongAdder();
            names.add(name);
            return names.size() - 1;
        }
    }

    @Override
    public byte[] transform(ClassLoader loader, String name, Class<?> redefined, ProtectionDomain domain, byte[] bytes) {
        if (name == null || !name.startsWith(prefix)) return null;
        ClassReader reader = new ClassReader(bytes);
        ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
        reader.accept(new ClassVisitor(Opcodes.ASM9, writer) {
            @Override
            public MethodVisitor visitMethod(int access, String method, String descriptor, String signature, String[] thrown) {
                MethodVisitor visitor = super.visitMethod(access, method, descriptor, signature, thrown);
                if ((access & (Opcodes.ACC_ABSTRACT | Opcodes.ACC_NATIVE)) != 0) return visitor;
                int number = number(name.replace('/', '.') + "." + method + descriptor);
                return new MethodVisitor(Opcodes.ASM9, visitor) {
                    @Override
                    public void visitCode() {
                        super.visitCode();
                        visitLdcInsn(number);
                        visitMethodInsn(Opcodes.INVOKESTATIC, "CountingAgent", "hit", "(I)V", false);
                    }
                };
            }
        }, 0);
        return writer.toByteArray();
    }
}
