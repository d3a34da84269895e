// Classes that the JDK generates at run time are the JDK's, whichever loader has them and however often
// something was called before: accessors of reflection and serialization, proxies, method handles and their
// species, lambdas, string concatenation, helpers of java.beans. Classes that a program generates are its own.
// e2e: same-on-all-jdks
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandleProxies;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.function.IntUnaryOperator;

public class Generated {
    static int touched;
    static int touch(int n) { touched += n; return n; }

    public interface Greeter { String greet(String name); default int twice(int n) { return touch(n) + n; } }
    interface Package { int number(int n); }
    @Retention(RetentionPolicy.RUNTIME) @interface Mark { int value() default 3; }

    public static class Base {
        int inBase;
        public Base() { inBase = touch(2); }
    }
    public static class Target extends Base implements Serializable, Comparable<Target> {
        int n;
        volatile int cell;
        public Target() { this(1); }
        public Target(int n) { this.n = touch(n); }
        public int plus(int m) { return touch(n + m); }
        public static int fixed(int a, int b) { return touch(a - b); }
        private int hidden() { return touch(n); }
        @Override public int compareTo(Target other) { return touch(n - other.n); }
        @Mark(7) public void marked() {}
        private void writeObject(ObjectOutputStream out) throws IOException { out.defaultWriteObject(); touch(4); }
        private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
            in.defaultReadObject();
            touch(5);
        }
        private Object readResolve() { touch(6); return this; }
    }
    record Pair(Target left, int right) {}

    /** The program's own, though of a proxy's kind or name. */
    static class OwnProxy extends Proxy {
        OwnProxy(InvocationHandler handler) { super(handler); }
        int mine() { return touch(9); }
    }
    static class $Proxy77 {
        int mine() { return touch(8); }
    }

    static Object handle(Object proxy, Method method, Object[] args) throws Throwable {
        touch(1);
        if (method.isDefault()) return InvocationHandler.invokeDefault(proxy, method, args);
        return method.getReturnType() == int.class ? (Object) args[0] : method.getName() + args[0];
    }
    static Object bootstrap(MethodHandles.Lookup lookup, String name, Class<?> type) { return touch(40); }

    /** A class whose get() loads a dynamic constant that {@link #bootstrap} gives. */
    static byte[] withDynamicConstant(String name) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.writeInt(0xCAFEBABE);
        out.writeShort(0);
        out.writeShort(55);
        out.writeShort(20);
        Object[][] pool = {
            {1, name}, {7, 1}, {1, "java/lang/Object"}, {7, 3}, {1, "get"}, {1, "()I"}, {1, "Code"}, {1, "BootstrapMethods"},
            {1, "Generated"}, {7, 9}, {1, "bootstrap"},
            {1, "(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;Ljava/lang/Class;)Ljava/lang/Object;"},
            {12, 11, 12}, {10, 10, 13}, {15, 6, 14}, {1, "value"}, {1, "I"}, {12, 16, 17}, {17, 0, 18}};
        for (Object[] entry : pool) {
            int tag = (int) entry[0];
            out.writeByte(tag);
            if (entry[1] instanceof String text) {
                out.writeUTF(text);
            } else if (tag == 15) {
                out.writeByte((int) entry[1]);
                out.writeShort((int) entry[2]);
            } else {
                for (int i = 1; i < entry.length; i++) out.writeShort((int) entry[i]);
            }
        }
        for (int word : new int[] {0x21, 2, 4, 0, 0, 1, 0x9, 5, 6, 1, 7}) out.writeShort(word);
        byte[] code = {0x12, 19, (byte) 0xAC};
        out.writeInt(12 + code.length);
        out.writeShort(1);
        out.writeShort(0);
        out.writeInt(code.length);
        out.write(code);
        for (int word : new int[] {0, 0, 1, 8}) out.writeShort(word);
        out.writeInt(6);
        for (int word : new int[] {1, 15, 0}) out.writeShort(word);
        return bytes.toByteArray();
    }

    static int reflective(Method plus, Method fixed, Method hidden, Constructor<Target> made, Field field) throws Exception {
        Target target = made.newInstance(4);
        int sum = (Integer) plus.invoke(target, 5) + (Integer) fixed.invoke(null, 7, 9) + (Integer) hidden.invoke(target);
        field.setInt(target, 3);
        return sum + field.getInt(target);
    }
    static int handles(MethodHandle plus, MethodHandle made, VarHandle cell, int i) throws Throwable {
        Target target = (Target) made.invokeExact(i);
        MethodHandle bound = MethodHandles.insertArguments(plus.bindTo(target), 0, i);
        int sum = (int) plus.invokeExact(target, 3) + (int) bound.invoke();
        cell.set(target, sum);
        return (int) cell.getAndAdd(target, 1);
    }
    static int serialised(int n) throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) { out.writeObject(new Target(n)); }
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            return ((Target) in.readObject()).plus(1);
        }
    }
    static int lambdas(int n) {
        IntUnaryOperator add = m -> touch(m) + n;
        Function<Integer, Target> make = Target::new;
        List<Target> targets = new ArrayList<>(List.of(make.apply(3), make.apply(1), make.apply(2)));
        targets.sort(Comparator.naturalOrder());
        String text = "n" + n + targets.size() + add.applyAsInt(n);
        Pair pair = new Pair(targets.get(0), n);
        return text.length() + (pair.equals(new Pair(targets.get(0), n)) ? 1 : 0) + pair.left().n;
    }
    static int proxies(Greeter greeter, Package number, Callable<?> callable) throws Exception {
        return greeter.greet("x").length() + greeter.twice(4) + number.number(3) + (int) callable.call();
    }
    static int beans(Target target) throws Exception {
        return (int) new java.beans.Expression(target, "plus", new Object[] {2}).getValue();
    }
    static int written(Class<?> own, Class<?> hiding) throws Exception {
        return (int) own.getMethod("get").invoke(null) + (int) hiding.getMethod("get").invoke(null);
    }

    public static void main(String[] args) throws Throwable {
        MethodHandles.Lookup lookup = MethodHandles.lookup();
        Method plus = Target.class.getMethod("plus", int.class);
        Method fixed = Target.class.getMethod("fixed", int.class, int.class);
        Method hidden = Target.class.getDeclaredMethod("hidden");
        hidden.setAccessible(true);
        Constructor<Target> constructor = Target.class.getConstructor(int.class);
        Field field = Target.class.getDeclaredField("n");
        MethodHandle plusHandle = lookup.unreflect(plus);
        MethodHandle made = lookup.findConstructor(Target.class, MethodType.methodType(void.class, int.class));
        VarHandle cell = lookup.findVarHandle(Target.class, "cell", int.class);
        ClassLoader loader = Generated.class.getClassLoader();
        Greeter greeter = (Greeter) Proxy.newProxyInstance(loader, new Class<?>[] {Greeter.class}, Generated::handle);
        Package number = (Package) Proxy.newProxyInstance(loader, new Class<?>[] {Package.class}, Generated::handle);
        MethodHandle constant = MethodHandles.insertArguments(lookup.findStatic(Generated.class, "touch",
            MethodType.methodType(int.class, int.class)), 0, 12);
        Callable<?> callable = MethodHandleProxies.asInterfaceInstance(Callable.class, constant);
        Class<?> own = lookup.defineClass(withDynamicConstant("GeneratedConstant"));
        Class<?> hiding = lookup.defineHiddenClass(withDynamicConstant("GeneratedHidden"), true).lookupClass();
        long sum = 0;
        for (int i = 0; i < 40; i++) {
            sum += reflective(plus, fixed, hidden, constructor, field) + handles(plusHandle, made, cell, i) + serialised(i);
            sum += lambdas(i) + proxies(greeter, number, callable) + beans(new Target(i)) + written(own, hiding);
            sum += Target.class.getMethod("marked").getAnnotation(Mark.class).value();
        }
        sum += new OwnProxy(Generated::handle).mine() + new $Proxy77().mine();
        System.out.println("generated " + sum + " " + touched);
    }
}
