import java.nio.file.Files;
import java.nio.file.Path;

/** Makes 2^(depth + 1) - 1 contexts, and says how much memory the process had before and has had until now, in KiB. */
public class EndOfRun {
    static long tree(int depth) {
        return depth == 0 ? 1 : 1 + tree(depth - 1) + tree(depth - 1);
    }

    static void tell(String line) throws Exception {
        for (String status : Files.readAllLines(Path.of("/proc/self/status"))) {
            if (status.startsWith(line)) System.out.println(status.replaceAll("[^0-9]", ""));
        }
    }

    public static void main(String[] arguments) throws Exception {
        tree(10);
        tell("VmRSS:");
        tree(Integer.parseInt(arguments[0]));
        tell("VmHWM:");
    }
}
