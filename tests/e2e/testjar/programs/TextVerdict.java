package copse.test;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Paths;

/** For each line, a baseline as text and a recording with a tab between them: what differs, in one line. */
public class TextVerdict {
    public static void main(String[] args) throws Exception {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            String[] files = line.split("\t", -1);
            TextBaseline baseline = TextBaseline.read(Paths.get(files[0]));
            Calls calls = Recording.load(Paths.get(files[1])).contexts();
            System.out.println(baseline.differences(calls, MatchesBaseline.Counts.NO_MORE).replace("\n", ";"));
        }
    }
}
