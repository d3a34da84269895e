import java.nio.file.Files;
import org.mozilla.javascript.Context;
import org.mozilla.javascript.ScriptableObject;
import workloads.Digest;
import workloads.Workload;

public class RhinoProgram extends Workload {
    @Override public void iterate(Digest digest) throws Exception {
        Context context = Context.enter();
        try {
            ScriptableObject scope = context.initStandardObjects();
            ScriptableObject.putProperty(scope, "seed", 42);
            Object result = context.evaluateString(scope, Files.readString(folder.resolve("program.js")), "program.js", 1, null);
            digest.add(Context.toNumber(result));
        } finally {
            Context.exit();
        }
    }
}
