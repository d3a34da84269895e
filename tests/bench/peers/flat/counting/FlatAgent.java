package flatcounter;

import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;

/**
 * Counts the entries of every method of application classes, without contexts. README.md has the rest.
 *
 * Argument: exact|racy,FILE,CLASS-PATH. FILE gets a line per method that was entered, "CALLS\tclass.name(descriptor)",
 * and one per class that was left alone, "skipped\tclass: why". CLASS-PATH has the rewriter and ASM.
 */
public final class FlatAgent {
    public static void premain(String argument, Instrumentation instrumentation) throws Exception {
        String[] parts = argument.split(",", 3);
        boolean exact = parts[0].equals("exact");
        if (parts.length != 3 || !exact && !parts[0].equals("racy")) {
            throw new IllegalArgumentException("expected exact|racy,FILE,CLASS-PATH");
        }
        Runtime.getRuntime().addShutdownHook(new Thread(() -> write(parts[1], exact)));
        Class<?> owner = exact ? ExactCounts.class : RacyCounts.class;
        instrumentation.addTransformer((ClassFileTransformer) rewriters(parts[2])
            .loadClass("flatcounter.rewriting.Rewriter").getConstructor(Class.class).newInstance(owner));
    }

    /** A loader of their own: the program may have another ASM. */
    private static ClassLoader rewriters(String classPath) throws MalformedURLException {
        String[] files = classPath.split(File.pathSeparator);
        URL[] urls = new URL[files.length];
        for (int i = 0; i < files.length; i++) urls[i] = new File(files[i]).toURI().toURL();
        return new URLClassLoader(urls, ClassLoader.getPlatformClassLoader());
    }

    private static void write(String file, boolean exact) {
        long[] calls = exact ? ExactCounts.sum() : RacyCounts.sum();
        try (PrintWriter out = new PrintWriter(file)) {
            String[] names = Methods.names();
            for (int i = 0; i < Math.min(names.length, calls.length); i++) {
                if (calls[i] != 0) out.println(calls[i] + "\t" + names[i]);
            }
            for (String why : Methods.skipped()) out.println("skipped\t" + why);
        } catch (IOException e) {
            System.err.println("flat counter: " + file + ": " + e.getMessage());
        }
    }
}
