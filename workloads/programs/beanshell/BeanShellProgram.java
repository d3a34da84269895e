import bsh.Interpreter;
import java.nio.file.Files;
import workloads.Digest;
import workloads.Workload;

public class BeanShellProgram extends Workload {
    @Override public void iterate(Digest digest) throws Exception {
        Interpreter interpreter = new Interpreter();
        interpreter.eval(Files.readString(folder.resolve("script.bsh")));
        digest.add(String.valueOf(interpreter.get("result")));
    }
}
