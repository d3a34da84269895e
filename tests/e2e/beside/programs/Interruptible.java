// Native code that takes an interrupted system call for a failure, and processes that it makes. Prints how many of its
// calls failed. The natives are in native/interruptible.cpp.
public class Interruptible {
    static native int sleeps(int times);
    static native int polls(int times);
    static native int waits(int times);
    static native int reads(int times);
    static native int forks(int times);
    static native int executes(int times);

    static int called;

    /** Recorded, as its native methods are: samples of their code have contexts. */
    static int all() {
        called++;
        return sleeps(60) + polls(60) + waits(60) + reads(60) + forks(4) + executes(4);
    }

    public static void main(String[] args) throws Exception {
        System.load(args[0]);
        int[] failed = new int[2];
        Thread other = new Thread(() -> failed[1] = all());
        other.start();
        failed[0] = all();
        other.join();
        System.out.println(failed[0] + " " + failed[1] + " failed");
    }
}
