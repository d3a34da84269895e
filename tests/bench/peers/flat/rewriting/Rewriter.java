package flatcounter.rewriting;

import flatcounter.Methods;
import java.lang.instrument.ClassFileTransformer;
import java.security.ProtectionDomain;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.commons.CodeSizeEvaluator;

/**
 * Puts a call of OWNER.enter(number) at the entry of every method of application classes. Empty finalizers stay as
 * they are, because the JVM has to finalize every object of a class whose finalizer is not empty.
 */
public final class Rewriter implements ClassFileTransformer {
    private static final ClassLoader platform = ClassLoader.getPlatformClassLoader();
    private final String owner;

    public Rewriter(Class<?> owner) { this.owner = Type.getInternalName(owner); }

    @Override
    public byte[] transform(ClassLoader loader, String name, Class<?> redefined, ProtectionDomain domain, byte[] bytes) {
        if (name == null || loader == null || loader == platform || loader == getClass().getClassLoader()) return null;
        try {
            return rewritten(name.replace('/', '.'), bytes);
        } catch (Throwable e) {  // the JVM would hide it
            Methods.skip(name.replace('/', '.') + ": " + e);
            return null;
        }
    }

    private byte[] rewritten(String className, byte[] bytes) {
        ClassReader reader = new ClassReader(bytes);
        boolean emptyFinalizer = hasEmptyFinalizer(reader);
        ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
        reader.accept(new ClassVisitor(Opcodes.ASM9, writer) {
            @Override
            public MethodVisitor visitMethod(int access, String method, String descriptor, String signature, String[] thrown) {
                MethodVisitor visitor = super.visitMethod(access, method, descriptor, signature, thrown);
                if ((access & (Opcodes.ACC_ABSTRACT | Opcodes.ACC_NATIVE)) != 0) return visitor;
                if (emptyFinalizer && isFinalizer(method, descriptor)) return visitor;
                int number = Methods.number(className + "." + method + descriptor);
                return new MethodVisitor(Opcodes.ASM9, visitor) {
                    @Override
                    public void visitCode() {
                        super.visitCode();
                        visitLdcInsn(number);
                        visitMethodInsn(Opcodes.INVOKESTATIC, owner, "enter", "(I)V", false);
                    }
                };
            }
        }, 0);
        return writer.toByteArray();
    }

    private static boolean isFinalizer(String method, String descriptor) {
        return method.equals("finalize") && descriptor.equals("()V");
    }

    /** One byte of code: the return. */
    private static boolean hasEmptyFinalizer(ClassReader reader) {
        CodeSizeEvaluator size = new CodeSizeEvaluator(null);
        reader.accept(new ClassVisitor(Opcodes.ASM9) {
            @Override
            public MethodVisitor visitMethod(int access, String method, String descriptor, String signature, String[] thrown) {
                return isFinalizer(method, descriptor) ? size : null;
            }
        }, ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
        return size.getMaxSize() == 1;
    }
}
