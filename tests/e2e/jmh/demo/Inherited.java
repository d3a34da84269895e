package demo;

public class Inherited {
    public void inherited() {
        one();
    }

    static int one() {
        return 1;
    }
}
