// Class initialisers, run by new, static fields, static calls, reflection, subclasses and enums,
// right after JDK methods that returned or threw: the call before must not become their site.
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

public class Initialisers {
    static int touched;
    static int touch(int n) { touched += n; return n; }

    static class ByNew { static { touch(1); } int x = touch(2); ByNew() { touch(3); } }
    static class ByField { static int value = touch(4); }
    static class ByCall { static { touch(5); } static int get() { return touch(6); } }
    static class ByCallback { static int value = Arrays.asList(1, 2).stream().mapToInt(n -> touch(n)).sum(); }
    static class ByReflection { static { touch(7); } public static int get() { return touch(8); } }
    static class ByHandle { static { touch(9); } static int get() { return touch(10); } }
    static class Parent { static { touch(11); } static int inherited = touch(12); }
    static class Child extends Parent { static { touch(13); } static int own = touch(14); }
    static class Grandchild extends Child { static { touch(15); } }
    interface WithDefault { int N = touch(16); default int get() { return touch(17); } }
    static class Implements implements WithDefault { static { touch(18); } }
    enum Colour { RED, GREEN { @Override int code() { return touch(20); } }; int code() { return touch(19); } }
    static class Chain { static int value = touch(21) + Chained.value; }
    static class Chained { static int value = touch(22) + (Chain.value == 0 ? touch(23) : 0); }
    static class AfterThrow { static { touch(24); } static int value = touch(25); }
    static class AfterThrowNew { static { touch(26); } }
    static class InHandler { static int value = touch(27); }
    static class InFinally { static int value = touch(28); }
    static class Failing { static int value = fail(); static int fail() { throw new IllegalStateException("" + touch(29)); } }
    static class Constant { static final int VALUE = 30; static { touch(1000); } }
    static class Singleton { static final Singleton ONE = new Singleton(); Singleton() { touch(31); } int get() { return touch(32); } }
    static class AsArgument { static int value = touch(33); }
    static class InLambda { static int value = touch(34); }
    static class InConstructorArgument { static int value = touch(35); }
    static class Takes { Takes(int n) { touch(n); } }

    static int afterReturned() {
        List<Integer> list = new ArrayList<>();
        list.add(1);
        new ByNew();
        list.add(2);
        int sum = ByField.value;
        list.size();
        sum += ByCall.get() + ByCall.get();
        list.sort((a, b) -> touch(a) - touch(b));
        sum += ByCallback.value;
        touch(1);
        sum += Grandchild.inherited;
        touch(1);
        sum += Grandchild.own;
        touch(1);
        new Grandchild();
        return sum + new Implements().get() + WithDefault.N;
    }
    static int afterThrew() {
        int sum = 0;
        try { Integer.parseInt("x"); } catch (NumberFormatException e) { sum += AfterThrow.value; }
        try { new ArrayList<>(-1); } catch (IllegalArgumentException e) { new AfterThrowNew(); }
        try { touch(1); throw new RuntimeException(); } catch (RuntimeException e) { sum += InHandler.value + touch(2); }
        try { sum += "abc".charAt(5); } catch (IndexOutOfBoundsException e) { touch(3); } finally { sum += InFinally.value; }
        try { sum += Failing.value; } catch (ExceptionInInitializerError | NoClassDefFoundError e) { sum += touch(4); }
        try { sum += Failing.value; } catch (NoClassDefFoundError e) { sum += touch(5); }
        return sum + Chain.value + Constant.VALUE;
    }
    static int reflective() throws Throwable {
        int sum = Class.forName("Initialisers$ByReflection").getMethods().length > 0 ? 1 : 0;
        sum += (Integer) ByReflection.class.getMethod("get").invoke(null);
        return sum + (int) MethodHandles.lookup().findStatic(ByHandle.class, "get", MethodType.methodType(int.class)).invokeExact();
    }
    static int others() {
        int sum = Math.max(touch(1), AsArgument.value) + Colour.GREEN.code() + Colour.valueOf("RED").code();
        new Takes(InConstructorArgument.value);
        Runnable r = () -> touch(InLambda.value);
        r.run();
        return sum + Singleton.ONE.get();
    }

    public static void main(String[] args) throws Throwable {
        int sum = 0;
        for (int i = 0; i < 3000; i++) sum += afterReturned() + afterThrew() + reflective() + others();
        System.out.println("initialisers " + sum + " " + touched);
    }
}
