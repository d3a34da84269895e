import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import workloads.Digest;
import workloads.SourceGenerator;
import workloads.Workload;

public class JavacProgram extends Workload {
    private Map<String, String> sources;

    @Override public void setup() { sources = new SourceGenerator(1, 80).generate(); }

    private static final class Source extends SimpleJavaFileObject {
        final String text;
        Source(String name, String text) { super(URI.create("string:///" + name), Kind.SOURCE); this.text = text; }
        @Override public CharSequence getCharContent(boolean ignoreErrors) { return text; }
    }
    /** Keeps class files in memory. */
    private static final class Manager extends ForwardingJavaFileManager<JavaFileManager> {
        final Map<String, ByteArrayOutputStream> made = new TreeMap<>();
        Manager(JavaFileManager manager) { super(manager); }
        @Override public JavaFileObject getJavaFileForOutput(Location l, String name, JavaFileObject.Kind kind, FileObject sibling) {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            made.put(name, bytes);
            return new SimpleJavaFileObject(URI.create("bytes:///" + name), kind) {
                @Override public OutputStream openOutputStream() { return bytes; }
            };
        }
    }

    @Override public void iterate(Digest digest) throws Exception {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        List<Source> units = new ArrayList<>();
        sources.forEach((name, text) -> units.add(new Source(name, text)));
        try (Manager manager = new Manager(compiler.getStandardFileManager(null, null, null))) {
            if (!compiler.getTask(null, manager, null, List.of("-g", "-Xlint:none", "-proc:none"), null, units).call()) throw new Exception("compilation failed");
            for (String name : manager.made.keySet()) digest.add(name).add(manager.made.get(name).toByteArray());
        }
    }
}
