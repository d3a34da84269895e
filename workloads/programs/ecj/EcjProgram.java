import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.eclipse.jdt.core.compiler.batch.BatchCompiler;
import workloads.Digest;
import workloads.SourceGenerator;
import workloads.Workload;

public class EcjProgram extends Workload {
    private Path sources, classes;

    @Override public void setup() throws Exception {
        sources = scratch.resolve("src");
        classes = scratch.resolve("classes");
        for (Map.Entry<String, String> source : new SourceGenerator(2, 80).generate().entrySet()) {
            Path file = sources.resolve(source.getKey());
            Files.createDirectories(file.getParent());
            Files.writeString(file, source.getValue());
        }
    }

    @Override public void iterate(Digest digest) throws Exception {
        StringWriter messages = new StringWriter();
        PrintWriter out = new PrintWriter(messages);
        String[] command = {"-source", "11", "-target", "11", "-g", "-warn:+all", "-proc:none", "-d", classes.toString(), sources.toString()};
        if (!BatchCompiler.compile(command, out, out, null)) throw new Exception("compilation failed: " + messages);
        digest.add(messages.toString().replace(sources.toString(), ""));
        List<Path> files;
        try (Stream<Path> all = Files.walk(classes)) { files = all.filter(Files::isRegularFile).sorted().collect(Collectors.toCollection(ArrayList::new)); }
        for (Path file : files) digest.add(Files.readAllBytes(file));
    }
}
