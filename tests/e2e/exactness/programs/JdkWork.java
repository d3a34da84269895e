// Work that is mostly the JDK's own: maps, sorting, text, numbers, regular expressions.
// e2e: jdk-below JdkWork.measured
// e2e: jdk-ignore jdk.internal.util.ArraysSupport.mismatch
// e2e: jdk-ignore jdk.internal.util.ArraysSupport.hashCodeOfUnsigned
// e2e: jdk-ignore jdk.internal.util.ArraysSupport.unsignedHashCode
// e2e: jdk-ignore jdk.internal.util.ArraysSupport.signedHashCode
// e2e: jdk-ignore jdk.internal.util.ArraysSupport.utf16hashCode
// e2e: jdk-ignore jdk.internal.util.ArraysSupport.hashCode
// e2e: jdk-ignore java.lang.Byte.toUnsignedInt
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

public class JdkWork {
    static final Pattern WORDS = Pattern.compile("([a-z]+)-(\\d+)");

    static int maps(int seed) {
        Map<String, Integer> map = new HashMap<>();
        TreeMap<Integer, String> tree = new TreeMap<>();
        for (int i = 0; i < 60; i++) {
            map.merge("key" + (i * seed) % 37, i, Integer::sum);
            tree.put((i * 17 + seed) % 53, Integer.toString(i));
        }
        return map.size() + tree.firstKey() + tree.headMap(20).size() + (map.containsKey("key5") ? 1 : 0);
    }
    static int sorting(int seed) {
        List<Integer> list = new ArrayList<>();
        int[] raw = new int[100];
        for (int i = 0; i < 100; i++) { list.add((i * 7919 + seed) % 101); raw[i] = list.get(i); }
        Collections.sort(list);
        java.util.Arrays.sort(raw);
        return list.get(50) + raw[50] + Collections.binarySearch(list, 30) + Math.abs(list.get(0) - raw[99]);
    }
    static int text(int seed) {
        StringBuilder sb = new StringBuilder();
        for (int i = 0; i < 30; i++) sb.append((char) ('a' + (i + seed) % 26)).append('-').append(i).append(' ');
        String s = sb.toString();
        int found = 0;
        var matcher = WORDS.matcher(s);
        while (matcher.find()) found += matcher.group(2).length();
        return found + s.indexOf("z-") + s.toUpperCase().hashCode() % 100 + s.split(" ").length + s.replace('-', '+').length()
            + String.join(",", List.of("a", "b", "c")).length() + Integer.parseInt("12") + Long.toHexString(seed * 1234567L).length();
    }
    static int numbers(int seed) {
        double sum = 0;
        for (int i = 1; i < 40; i++) sum += Math.sqrt(i) + Math.sin(i * seed) + Math.max(i, seed) + Math.floor(sum / i);
        return (int) sum + Integer.bitCount(seed) + Long.numberOfTrailingZeros(seed + 8) + Character.toUpperCase('x');
    }
    static int queues(int seed) {
        ArrayDeque<Integer> queue = new ArrayDeque<>();
        int sum = 0;
        for (int i = 0; i < 50; i++) {
            queue.addLast(i * seed);
            if (i % 3 == 0) sum += queue.pollFirst();
        }
        for (Integer n : queue) sum += n;
        return sum;
    }

    static int work() {
        int sum = 0;
        for (int i = 1; i < 25; i++) sum += maps(i) + sorting(i) + text(i) + numbers(i) + queues(i);
        return sum;
    }

    /** Called after rehearsals: nothing is loaded or linked below it any more. */
    static int measured() { return work(); }

    public static void main(String[] args) {
        int sum = 0;
        for (int i = 0; i < 5; i++) sum += work();
        System.out.println("the JDK's work " + sum + " " + measured());
    }
}
