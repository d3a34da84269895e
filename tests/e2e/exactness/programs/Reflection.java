// Reflection past its inflation threshold, method handles, variable handles, proxies, serialisation.
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.function.IntUnaryOperator;

public class Reflection {
    public interface Greeter { String greet(String name); default int twice(int n) { return n + n; } }
    public static class Target implements Serializable {
        public int n;
        int cell;
        public Target() { this(1); }
        public Target(int n) { this.n = check(n); }
        static int check(int n) { return n < 0 ? -n : n; }
        public int plus(int m) { return check(n + m); }
        public static int fixed(int a, int b) { return check(a - b); }
        private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
            in.defaultReadObject();
            cell = check(-n);
        }
    }
    static String handle(Object proxy, Method method, Object[] args) { return method.getName() + args[0]; }
    static boolean isSmall(int n) { return n < 100; }
    static int small(int n) { return n + 1; }
    static int large(int n) { return n / 2; }

    static int reflective(Method plus, Method fixed, Constructor<Target> constructor) throws Exception {
        Target target = constructor.newInstance(4);
        return (Integer) plus.invoke(target, 5) + (Integer) fixed.invoke(null, 7, 9);
    }
    static int handles(MethodHandle plus, MethodHandle guarded, MethodHandle made, VarHandle cell, int i) throws Throwable {
        Target target = (Target) made.invokeExact(i);
        int sum = (int) plus.invokeExact(target, 3) + (int) plus.bindTo(target).invoke((short) 2);
        sum += (int) guarded.invokeExact(i & 255);
        cell.set(target, sum);
        return (int) cell.getAndAdd(target, 1);
    }
    static int proxies(Greeter greeter) { return greeter.greet("x").length(); }
    static int serialised() throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) { out.writeObject(new Target(9)); }
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            return ((Target) in.readObject()).plus(1);
        }
    }

    public static void main(String[] args) throws Throwable {
        Method plus = Target.class.getMethod("plus", int.class);
        Method fixed = Target.class.getMethod("fixed", int.class, int.class);
        Constructor<Target> constructor = Target.class.getConstructor(int.class);
        MethodHandles.Lookup lookup = MethodHandles.lookup();
        MethodType unary = MethodType.methodType(int.class, int.class);
        MethodHandle plusHandle = lookup.unreflect(plus);
        MethodHandle made = lookup.findConstructor(Target.class, MethodType.methodType(void.class, int.class));
        MethodHandle guarded = MethodHandles.guardWithTest(
            lookup.findStatic(Reflection.class, "isSmall", MethodType.methodType(boolean.class, int.class)),
            lookup.findStatic(Reflection.class, "small", unary), lookup.findStatic(Reflection.class, "large", unary));
        VarHandle cell = lookup.findVarHandle(Target.class, "cell", int.class);
        Greeter greeter = (Greeter) Proxy.newProxyInstance(Reflection.class.getClassLoader(), new Class<?>[] {Greeter.class}, Reflection::handle);
        IntUnaryOperator viaProxy = n -> proxies(greeter) + n;
        long sum = 0;
        for (int i = 0; i < 4000; i++) {
            sum += reflective(plus, fixed, constructor) + handles(plusHandle, guarded, made, cell, i) + viaProxy.applyAsInt(i & 3);
            if (i % 200 == 0) sum += serialised();
        }
        System.out.println("reflection " + sum);
    }
}
