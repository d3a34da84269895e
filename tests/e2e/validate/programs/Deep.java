// A recursion as deep as the argument says, through one method and through two, twice.
public class Deep {
    static int leaves;
    static void leaf() { leaves++; }
    static int down(int n) { if (n % 3 == 0) leaf(); return n == 0 ? 0 : down(n - 1) + 1; }
    static int odd(int n) { return n == 0 ? 0 : even(n - 1) + 1; }
    static int even(int n) { return n == 0 ? 0 : odd(n - 1) + 1; }
    static void all(int depth) { System.out.println(down(depth) + odd(depth) + down(depth)); }
    public static void main(String[] words) throws Exception {
        int depth = Integer.parseInt(words[0]);
        Thread thread = new Thread(null, () -> all(depth), "deep", 1L << 31);
        thread.start();
        thread.join();
    }
}
