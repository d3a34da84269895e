import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Every way of calling that a class file can tell, and some that it cannot. */
public class Shapes {
    interface Shape {
        int area();
        default int twice() { return 2 * area(); }
    }
    abstract static class Base implements Shape {
        int id() { return hidden() + 1; }
        private int hidden() { return 3; }
    }
    static class Circle extends Base {
        @Override public int area() { return super.id() + helper(2); }
        static int helper(int n) { return n == 0 ? 0 : 1 + helper(n - 1); }
    }
    static final class Square extends Base {
        @Override public int area() { return id(); }
        @Override public int twice() { return Shapes.times(2, area()); }
    }
    /** Never made. */
    static class Unused extends Base {
        @Override public int area() { return unused(); }
        int unused() { return 0; }
    }
    static class Work implements Runnable {
        static int start = begin();
        static int begin() { return 5; }
        int done;
        @Override public void run() { done = loop(10); }
        int loop(int n) { return n == 0 ? start : loop(n - 1); }
    }
    static class ByArea implements Comparator<Shape> {
        @Override public int compare(Shape a, Shape b) { return a.area() - b.area(); }
    }

    static int times(int a, int b) { return a * b; }

    public static void main(String[] args) throws Exception {
        List<Shape> shapes = new ArrayList<>(List.of(new Circle(), new Square()));
        int sum = 0;
        for (Shape shape : shapes) sum += shape.area() + shape.twice();
        shapes.sort(new ByArea());                                   // the JDK calls back
        shapes.forEach(shape -> times(1, shape.area()));             // a lambda
        Work work = new Work();
        Thread thread = new Thread(work);
        thread.start();
        thread.join();
        System.out.println("shapes " + sum + " " + work.done);
    }
}
