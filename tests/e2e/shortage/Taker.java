import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** Takes what its report needs: `fill FILE` all room of a file system, `remove FOLDER` the folder. Then it calls. */
public class Taker {
    static int step(int n) {
        return n + 1;
    }

    public static void main(String[] args) throws Exception {
        for (int i = 0; i + 1 < args.length; i += 2) {
            if (args[i].equals("fill")) fill(args[i + 1]);
            if (args[i].equals("remove")) Files.delete(Path.of(args[i + 1]));
        }
        int sum = 0;
        for (int i = 0; i < 2_000; i++) sum = step(sum);
        System.out.println(sum);
    }

    private static void fill(String file) throws IOException {
        try (OutputStream out = new FileOutputStream(file)) {
            for (int bytes : new int[] {1 << 16, 1}) {
                try {
                    while (true) out.write(new byte[bytes]);
                } catch (IOException full) {
                    // As it should be.
                }
            }
        }
    }
}
