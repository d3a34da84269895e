// A method at the end of a stack that is deeper than contexts are kept, twice, and of one that is not.
public class Deep {
    static int down(int frames) {
        return frames == 0 ? leaf() : down(frames - 1) + 1;
    }

    static int leaf() {
        return 0;
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread thread = new Thread(null, () -> System.out.println(down(3000) + down(3000)), "deep", 1L << 28);
        thread.start();
        thread.join();
        down(10);
    }
}
