import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.TreeMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Links, and so verifies, every class without initialising it.
 *
 * LinkAll jdk STEP: every STEP-th class of the running JDK; run it with --patch-module for the
 * rewritten modules and -XX:+BytecodeVerificationLocal.
 * LinkAll jars STEP ORIGINALS REWRITTEN: the classes of each folder below REWRITTEN, in a loader of
 * its own that finds what is missing in the other folders. A class that does not link in its original
 * form either (an optional dependency) is no failure.
 * LinkAll pairs ORIGINALS REWRITTEN...: each file of ORIGINALS against the file of that name in each REWRITTEN,
 * whatever class it holds, alone in a loader of its own. It is a failure when none of a folder links.
 *
 * Ends with status 1 if a class fails that should not.
 */
public class LinkAll {
    private int linked;
    private final Map<String, Integer> unlinkable = new TreeMap<>();
    private final List<String> failures = new ArrayList<>();

    public static void main(String[] args) throws Exception {
        LinkAll all = new LinkAll();
        all.checkThatBadCodeIsSeen();
        if (args[0].equals("pairs")) {
            all.linkPairs(Paths.get(args[1]), List.of(args).subList(2, args.length));
        } else if (args[0].equals("jdk")) {
            all.linkJdk(Integer.parseInt(args[1]));
        } else {
            all.linkJars(Integer.parseInt(args[1]), Paths.get(args[2]), Paths.get(args[3]));
        }
        all.failures.forEach(f -> System.out.println("FAILED " + f));
        System.out.println("checked: " + all.linked + " classes linked by HotSpot's verifier");
        System.out.println("java " + System.getProperty("java.version") + ": linked " + all.linked
            + ", not linkable before either " + all.unlinkable + ", failed " + all.failures.size());
        System.exit(all.failures.isEmpty() ? 0 : 1);
    }

    /** getDeclaredFields links the class first (JVM_GetClassDeclaredFields) and initialises nothing. */
    private static Throwable link(String name, ClassLoader loader, Module module) {
        try {
            Class<?> type = module != null ? Class.forName(module, name) : Class.forName(name, false, loader);
            return type == null ? new ClassNotFoundException(name) : link(type);
        } catch (Throwable t) {
            return t;
        }
    }

    private static Throwable link(Class<?> type) {
        try {
            type.getDeclaredFields();
            return null;
        } catch (Throwable t) {
            return t;
        }
    }

    private void linkJdk(int step) throws IOException {
        Path modules = FileSystems.getFileSystem(URI.create("jrt:/")).getPath("/modules");
        List<Path> files;
        try (Stream<Path> walk = Files.walk(modules)) {
            files = walk.filter(f -> f.toString().endsWith(".class")).sorted().collect(Collectors.toList());
        }
        for (int i = 0; i < files.size(); i += step) {
            Path file = modules.relativize(files.get(i));
            String name = className(file.subpath(1, file.getNameCount()));
            if (name.endsWith("module-info")) continue;
            Optional<Module> module = ModuleLayer.boot().findModule(file.getName(0).toString());
            if (module.isEmpty()) {
                note(name, new ClassNotFoundException("module not in the boot layer"), false);
                continue;
            }
            Throwable problem = link(name, null, module.get());
            note(name, problem, problem instanceof VerifyError || problem instanceof ClassFormatError);
        }
    }

    private void linkJars(int step, Path originals, Path rewritten) throws IOException {
        List<Path> folders;
        try (Stream<Path> list = Files.list(rewritten)) {
            folders = list.sorted().collect(Collectors.toList());
        }
        for (Path folder : folders) {
            ClassLoader before = loaderFor(originals.resolve(folder.getFileName()), originals);
            ClassLoader after = loaderFor(folder, rewritten);
            List<Path> files;
            try (Stream<Path> walk = Files.walk(folder)) {
                files = walk.filter(f -> f.toString().endsWith(".class")).sorted().collect(Collectors.toList());
            }
            for (int i = 0; i < files.size(); i += step) {
                String name = className(folder.relativize(files.get(i)));
                Throwable problem = link(name, after, null);
                boolean failed = problem != null && link(name, before, null) == null;
                note(folder.getFileName() + " " + name, problem, failed);
            }
        }
    }

    private void linkPairs(Path originals, List<String> rewritten) throws IOException {
        Map<Path, Optional<Throwable>> before = new TreeMap<>();
        try (Stream<Path> list = Files.list(originals)) {
            for (Path file : list.collect(Collectors.toList())) {
                before.put(file.getFileName(), Optional.ofNullable(linkAlone(Files.readAllBytes(file))));
            }
        }
        for (String folder : rewritten) {
            int linkedBefore = linked;
            for (Map.Entry<Path, Optional<Throwable>> original : before.entrySet()) {
                Throwable after = linkAlone(Files.readAllBytes(Paths.get(folder).resolve(original.getKey())));
                boolean failed = original.getValue().isEmpty() && after != null;
                note(folder + " " + original.getKey(), original.getValue().orElse(after), failed);
            }
            if (linked == linkedBefore) failures.add(folder + ": no class links");
        }
    }

    private static Throwable linkAlone(byte[] bytes) {
        try {
            return link(new ClassLoader(null) {
                Class<?> define() {
                    return defineClass(null, bytes, 0, bytes.length);
                }
            }.define());
        } catch (Throwable t) {
            return t;
        }
    }

    private static ClassLoader loaderFor(Path folder, Path all) throws IOException {
        List<URL> urls = new ArrayList<>(Collections.singletonList(folder.toUri().toURL()));
        try (Stream<Path> list = Files.list(all)) {
            for (Path other : list.sorted().collect(Collectors.toList())) urls.add(other.toUri().toURL());
        }
        return new URLClassLoader(urls.toArray(new URL[0]), ClassLoader.getPlatformClassLoader());
    }

    private static String className(Path file) {
        String path = file.toString();
        return path.substring(0, path.length() - ".class".length()).replace('/', '.');
    }

    private void note(String name, Throwable problem, boolean failed) {
        if (problem == null) {
            linked++;
        } else if (failed) {
            failures.add(name + ": " + problem);
        } else {
            unlinkable.merge(problem.getClass().getSimpleName(), 1, Integer::sum);
        }
    }

    /** A class whose method returns an int as a reference must be refused, or the run means nothing. */
    private void checkThatBadCodeIsSeen() throws IOException {
        byte[] bytes;
        try (InputStream in = LinkAll.class.getResourceAsStream("LinkAll$Canary.class")) {
            bytes = in.readAllBytes();
        }
        final int iload0 = 0x1A, ireturn = 0xAC, areturn = 0xB0;
        for (int i = 1; i < bytes.length; i++) {
            if ((bytes[i - 1] & 0xFF) == iload0 && (bytes[i] & 0xFF) == ireturn) bytes[i] = (byte) areturn;
        }
        ClassLoader loader = new ClassLoader(null) {
            @Override
            protected Class<?> findClass(String name) {
                return defineClass(name, bytes, 0, bytes.length);
            }
        };
        Throwable problem = link("LinkAll$Canary", loader, null);
        if (!(problem instanceof VerifyError)) throw new IllegalStateException("bad code was accepted", problem);
    }

    static class Canary {
        static int same(int x) {
            return x;
        }
    }
}
