import java.io.File;
import java.io.FileInputStream;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import org.jacoco.core.data.ExecutionDataReader;
import org.jacoco.core.data.ExecutionDataStore;

/** Prints a JaCoCo execution file: per class its id and which of its probes were reached. */
public final class CoverageOf {
    public static void main(String[] args) throws Exception {
        ExecutionDataStore store = new ExecutionDataStore();
        try (FileInputStream in = new FileInputStream(new File(args[0]))) {
            ExecutionDataReader reader = new ExecutionDataReader(in);
            reader.setExecutionDataVisitor(store);
            reader.setSessionInfoVisitor(session -> {});
            reader.read();
        }
        Map<String, String> lines = new TreeMap<>();
        store.getContents().forEach(data ->
            lines.put(data.getName(), Long.toHexString(data.getId()) + " " + Arrays.toString(data.getProbes())));
        lines.forEach((name, line) -> System.out.println(name + " " + line));
    }
}
