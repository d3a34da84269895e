package copse.test;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;

/** Of each line, a class, a name and a descriptor with tabs between them: the normalised ones in the same form. */
public class NormalNamesOf {
    public static void main(String[] args) throws Exception {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            String[] parts = line.split("\t", -1);
            System.out.println(NormalNames.of(new Method(parts[0], parts[1], parts[2])).replace('\n', '\t'));
        }
    }
}
