/** Takes so many steps; with a second word only once a line has come. */
public class Steps {
    static int step(int n) {
        return n + 1;
    }

    static void last() {}

    public static void main(String[] args) throws Exception {
        System.out.println("begun");
        if (args.length > 1) System.in.read();
        int steps = Integer.parseInt(args[0]);
        for (int i = 0; i < steps; ) {
            i = step(i);
            if (args.length > 1 && i % 1000 == 0) Thread.sleep(1);
        }
        last();
        System.out.println(steps + " steps");
    }
}
