import java.io.InputStream;
import java.lang.instrument.ClassDefinition;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.security.ProtectionDomain;
import java.util.ArrayList;
import java.util.List;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * An agent that never rests: a thread gives the program's classes another body (an instruction or two at
 * each entry), takes it away again, and redefines the classes from their files, over and over. The
 * property beside.changes says how often.
 *
 * Argument: the prefix of the classes' names
 */
public final class ChangingAgent implements ClassFileTransformer {
    private static volatile boolean over;
    private final String prefix;

    private ChangingAgent(String prefix) { this.prefix = prefix; }

    public static void premain(String argument, Instrumentation instrumentation) {
        ChangingAgent transformer = new ChangingAgent(argument);
        Thread thread = new Thread(() -> change(transformer, instrumentation), "changing agent");
        thread.setDaemon(true);
        thread.start();
        // The JVM must not be asked for classes while it is being destroyed.
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            over = true;
            try {
                thread.join();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }));
    }

    private static void change(ChangingAgent transformer, Instrumentation instrumentation) {
        int changes = 0;
        try {
            while (!over) {
                Class<?>[] classes = transformer.loaded(instrumentation);
                if (classes.length == 0) {
                    Thread.sleep(1);
                    continue;
                }
                instrumentation.addTransformer(transformer, true);
                instrumentation.retransformClasses(classes);
                System.setProperty("beside.changes", String.valueOf(++changes));
                instrumentation.removeTransformer(transformer);
                instrumentation.retransformClasses(classes);
                System.setProperty("beside.changes", String.valueOf(++changes));
                instrumentation.redefineClasses(fromFiles(classes));
                System.setProperty("beside.changes", String.valueOf(++changes));
            }
        } catch (Throwable e) {
            e.printStackTrace();  // which the test sees: the program's output is no longer the same
            System.setProperty("beside.changes", "1000000000");
        }
    }

    private Class<?>[] loaded(Instrumentation instrumentation) {
        List<Class<?>> classes = new ArrayList<>();
        for (Class<?> type : instrumentation.getAllLoadedClasses()) {
            if (type.getName().startsWith(prefix) && instrumentation.isModifiableClass(type)) classes.add(type);
        }
        return classes.toArray(new Class<?>[0]);
    }

    private static ClassDefinition[] fromFiles(Class<?>[] classes) throws Exception {
        ClassDefinition[] definitions = new ClassDefinition[classes.length];
        for (int i = 0; i < classes.length; i++) {
            String file = "/" + classes[i].getName().replace('.', '/') + ".class";
            try (InputStream in = classes[i].getResourceAsStream(file)) {
                definitions[i] = new ClassDefinition(classes[i], in.readAllBytes());
            }
        }
        return definitions;
    }

    @Override
    public byte[] transform(ClassLoader loader, String name, Class<?> redefined, ProtectionDomain domain, byte[] bytes) {
        if (name == null || !name.startsWith(prefix)) return null;
        ClassReader reader = new ClassReader(bytes);
        ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
        reader.accept(new ClassVisitor(Opcodes.ASM9, writer) {
            @Override
            public MethodVisitor visitMethod(int access, String method, String descriptor, String signature, String[] thrown) {
                return new MethodVisitor(Opcodes.ASM9, super.visitMethod(access, method, descriptor, signature, thrown)) {
                    @Override
                    public void visitCode() {
                        super.visitCode();
                        visitMethodInsn(Opcodes.INVOKESTATIC, "java/lang/System", "nanoTime", "()J", false);
                        visitInsn(Opcodes.POP2);
                    }
                };
            }
        }, 0);
        return writer.toByteArray();
    }
}
