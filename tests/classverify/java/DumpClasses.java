import java.io.IOException;
import java.net.URI;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

/**
 * DumpClasses jdk STEP OUT: every STEP-th class of the running JDK to OUT/module/package/Name.class.
 * DumpClasses jars OUT JAR...: every class of each jar to OUT/jar/package/Name.class.
 */
public class DumpClasses {
    public static void main(String[] args) throws IOException {
        if (args[0].equals("jdk")) {
            dumpJdk(Integer.parseInt(args[1]), Paths.get(args[2]));
            return;
        }
        Path out = Paths.get(args[1]);
        for (int i = 2; i < args.length; i++) {
            dumpJar(Paths.get(args[i]), out.resolve(Paths.get(args[i]).getFileName().toString()));
        }
    }

    static void dumpJdk(int step, Path out) throws IOException {
        Path modules = FileSystems.getFileSystem(URI.create("jrt:/")).getPath("/modules");
        List<Path> classes;
        try (Stream<Path> files = Files.walk(modules)) {
            classes = files.filter(f -> f.toString().endsWith(".class")).sorted().collect(Collectors.toList());
        }
        for (int i = 0; i < classes.size(); i += step) {
            Path file = classes.get(i);
            write(out.resolve(modules.relativize(file).toString()), Files.readAllBytes(file));
        }
        System.out.println(classes.size() + " classes, one in " + step + " taken, of java "
            + System.getProperty("java.version"));
    }

    static void dumpJar(Path jar, Path out) throws IOException {
        try (ZipInputStream in = new ZipInputStream(Files.newInputStream(jar))) {
            for (ZipEntry entry = in.getNextEntry(); entry != null; entry = in.getNextEntry()) {
                String name = entry.getName();
                // Other versions of a class in the same jar, and module descriptors, are not on the class path.
                if (!name.endsWith(".class") || name.startsWith("META-INF/") || name.contains("..")
                        || name.endsWith("module-info.class")) continue;
                write(out.resolve(name), in.readAllBytes());
            }
        }
    }

    static void write(Path file, byte[] bytes) throws IOException {
        Files.createDirectories(file.getParent());
        Files.write(file, bytes);
    }
}
