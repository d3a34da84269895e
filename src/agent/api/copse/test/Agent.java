package copse.test;

import java.io.File;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.net.URISyntaxException;
import java.security.CodeSource;

/** The agent in this JVM, by the class that it defines for us: java.lang.CopseExcerpt. */
final class Agent {
    private Agent() {}

    private static final Class<?> EXCERPT = bootClass("java.lang.CopseExcerpt");
    private static final MethodHandle BEGIN = find("begin", long[].class, int.class);
    private static final MethodHandle END = find("end", byte[].class, long[].class);
    private static final MethodHandle METHODS = find("methods", byte[].class, int.class);
    private static final MethodHandle SKIPPED = find("skipped", byte[].class);
    private static final MethodHandle SITE = find("site", long.class, int.class, int.class);

    private static Class<?> bootClass(String name) {
        try {
            return Class.forName(name, true, null);
        } catch (ClassNotFoundException e) {
            return null;
        }
    }

    private static MethodHandle find(String name, Class<?> result, Class<?>... parameters) {
        if (EXCERPT == null) return null;
        try {
            return MethodHandles.publicLookup().findStatic(EXCERPT, name, MethodType.methodType(result, parameters));
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("copse-test.jar: is not of the agent's version", e);
        }
    }

    /** Why nothing can be recorded, and what to do about it; null: it can. */
    static String whyNot() {
        if (EXCERPT != null) return null;
        if (bootClass("copse.CopseNative") != null) {
            return "Copse records this JVM in a way that counts no calls in place: leave out the agent's options"
                + " engine, encoder and those of copse record and validate";
        }
        return "Copse does not record this JVM: add -agentpath:" + library() + " to its options, or run the tests under"
            + " copse run";
    }

    /** Beside this jar where it was built; where both are installed, elsewhere. */
    private static String library() {
        String name = "libcopse.so";
        CodeSource source = Agent.class.getProtectionDomain().getCodeSource();
        if (source == null || source.getLocation() == null) return name;
        try {
            File folder = new File(source.getLocation().toURI()).getParentFile();
            for (String place : new String[] {"", "../../lib/copse/", "../../lib/x86_64-linux-gnu/copse/"}) {
                File file = new File(folder, place + name);
                if (file.isFile()) return file.getCanonicalPath();
            }
        } catch (URISyntaxException | IllegalArgumentException | java.io.IOException e) {
            // A jar that is no file.
        }
        return name;
    }

    /** For end(). */
    static long[] begin(int whose) {
        if (EXCERPT == null) throw Skipped.because(whyNot());
        long[] began;
        try {
            began = (long[]) BEGIN.invokeExact(whose);
        } catch (Throwable e) {
            throw unexpected(e);
        }
        if (began == null) {
            throw Skipped.because("Copse does not record this JVM any more, or has no memory for another recording");
        }
        if (began.length == 0) {
            throw new IllegalStateException("copse: the program uses jdk.internal.vm.Continuation itself, so calls may"
                + " come back to where they are not expected: no part of it can be recorded");
        }
        return began;
    }

    /** Null when the run's recording has ended. */
    static byte[] end(long[] began) {
        try {
            return (byte[]) END.invokeExact(began);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    static byte[] methods(int known) {
        try {
            return (byte[]) METHODS.invokeExact(known);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    static byte[] skipped() {
        try {
            return (byte[]) SKIPPED.invokeExact();
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    static long site(int method, int site) {
        try {
            return (long) SITE.invokeExact(method, site);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    private static RuntimeException unexpected(Throwable e) {
        if (e instanceof Error) throw (Error) e;
        if (e instanceof RuntimeException) return (RuntimeException) e;
        return new IllegalStateException(e);
    }
}
