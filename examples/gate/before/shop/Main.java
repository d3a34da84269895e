package shop;

/** Serves one request of each kind, as a test of the application would. */
public class Main {
    public static void main(String[] args) {
        Database database = new Database(100);
        OrderHandler handler = new OrderHandler(new OrderDao(database));
        System.out.println(handler.list());
        System.out.println(handler.get(7));
    }
}
