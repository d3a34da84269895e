import java.io.ByteArrayOutputStream;
import java.util.Properties;
import org.python.core.PySystemState;
import org.python.util.PythonInterpreter;
import workloads.Digest;
import workloads.Workload;

public class JythonProgram extends Workload {
    @Override public void setup() { PythonInterpreter.initialize(System.getProperties(), new Properties(), new String[0]); }

    @Override public void iterate(Digest digest) throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (PythonInterpreter python = new PythonInterpreter(null, new PySystemState())) {
            python.setOut(out);
            python.execfile(folder.resolve("program.py").toString());
        }
        digest.add(out.toByteArray());
    }
}
