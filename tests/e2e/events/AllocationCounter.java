import java.io.PrintWriter;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.security.ProtectionDomain;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * A Java agent that counts allocations in its own way, for comparison: calls inserted by ASM behind every
 * new, newarray, anewarray and multianewarray of classes that the boot and platform loaders did not load, sizes
 * asked of java.lang.instrument. Written to the file it is given when the JVM ends, a line per method:
 * class.name, count, bytes.
 */
public final class AllocationCounter {
    private AllocationCounter() {}

    private static final class Sum {
        final LongAdder count = new LongAdder();
        final LongAdder bytes = new LongAdder();
    }

    private static Instrumentation instrumentation;
    private static sun.misc.Unsafe unsafe;
    private static final ConcurrentHashMap<String, Sum> sums = new ConcurrentHashMap<>();
    private static final ClassValue<Long> sizes = new ClassValue<>() {
        @Override
        protected Long computeValue(Class<?> type) {
            try {
                return instrumentation.getObjectSize(unsafe.allocateInstance(type));
            } catch (InstantiationException e) {
                throw new AssertionError(e);
            }
        }
    };

    public static void premain(String file, Instrumentation given) throws ReflectiveOperationException {
        instrumentation = given;
        Field field = sun.misc.Unsafe.class.getDeclaredField("theUnsafe");
        field.setAccessible(true);
        unsafe = (sun.misc.Unsafe) field.get(null);
        given.addTransformer(new Counting());
        Runtime.getRuntime().addShutdownHook(new Thread(() -> write(file)));
    }

    private static Sum sumOf(String method) {
        Sum sum = sums.get(method);
        return sum != null ? sum : sums.computeIfAbsent(method, name -> new Sum());
    }

    private static void add(String method, long bytes) {
        Sum sum = sumOf(method);
        sum.count.increment();
        sum.bytes.add(bytes);
    }

    /** After new, whose object cannot be given to anybody yet. */
    public static void made(Class<?> type, String method) {
        add(method, sizes.get(type));
    }

    public static void madeArray(Object array, String method) {
        add(method, instrumentation.getObjectSize(array));
    }

    public static void madeArrays(Object array, int dimensions, String method) {
        madeArray(array, method);
        if (dimensions == 1) return;
        for (int i = 0; i < Array.getLength(array); i++) madeArrays(Array.get(array, i), dimensions - 1, method);
    }

    private static void write(String file) {
        try (PrintWriter out = new PrintWriter(file, "UTF-8")) {
            Map<String, Sum> sorted = new TreeMap<>(sums);
            sorted.forEach((method, sum) -> out.println(method + '\t' + sum.count.sum() + '\t' + sum.bytes.sum()));
        } catch (java.io.IOException e) {
            System.err.println("AllocationCounter: " + e.getMessage());
        }
    }

    private static final class Counting implements ClassFileTransformer {
        @Override
        public byte[] transform(ClassLoader loader, String name, Class<?> again, ProtectionDomain domain, byte[] bytes) {
            boolean isOurs = name == null || name.startsWith("AllocationCounter") || name.startsWith("org/objectweb/asm/");
            if (loader == null || loader == ClassLoader.getPlatformClassLoader() || isOurs) return null;
            ClassReader reader = new ClassReader(bytes);
            ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
            reader.accept(new ClassVisitor(Opcodes.ASM9, writer) {
                @Override
                public MethodVisitor visitMethod(int access, String method, String descriptor, String signature, String[] thrown) {
                    MethodVisitor to = super.visitMethod(access, method, descriptor, signature, thrown);
                    return new CountingMethod(to, name.replace('/', '.') + '.' + method);
                }
            }, 0);
            return writer.toByteArray();
        }
    }

    private static final class CountingMethod extends MethodVisitor {
        private final String method;

        CountingMethod(MethodVisitor to, String method) {
            super(Opcodes.ASM9, to);
            this.method = method;
        }

        private void call(String name, String descriptor) {
            visitMethodInsn(Opcodes.INVOKESTATIC, "AllocationCounter", name, descriptor, false);
        }

        private void afterArray() {
            visitInsn(Opcodes.DUP);
            visitLdcInsn(method);
            call("madeArray", "(Ljava/lang/Object;Ljava/lang/String;)V");
        }

        @Override
        public void visitTypeInsn(int opcode, String type) {
            super.visitTypeInsn(opcode, type);
            if (opcode == Opcodes.NEW) {
                visitLdcInsn(Type.getObjectType(type));
                visitLdcInsn(method);
                call("made", "(Ljava/lang/Class;Ljava/lang/String;)V");
            } else if (opcode == Opcodes.ANEWARRAY) {
                afterArray();
            }
        }

        @Override
        public void visitIntInsn(int opcode, int operand) {
            super.visitIntInsn(opcode, operand);
            if (opcode == Opcodes.NEWARRAY) afterArray();
        }

        @Override
        public void visitMultiANewArrayInsn(String descriptor, int dimensions) {
            super.visitMultiANewArrayInsn(descriptor, dimensions);
            visitInsn(Opcodes.DUP);
            visitLdcInsn(dimensions);
            visitLdcInsn(method);
            call("madeArrays", "(Ljava/lang/Object;ILjava/lang/String;)V");
        }
    }
}
