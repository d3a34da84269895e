// Events of its own for the flight recorder, from methods that are recorded.
import jdk.jfr.Event;
import jdk.jfr.Name;

public class Flights {
    @Name("beside.Flight")
    static class Flight extends Event { int number; }

    static int total;

    static void fly(int n) {
        Flight flight = new Flight();
        flight.begin();
        flight.number = climb(n);
        flight.commit();
    }
    static int climb(int n) { return n == 0 ? 0 : climb(n - 1) + 1; }

    public static void main(String[] args) {
        for (int i = 0; i < 1000; i++) {
            fly(i % 7);
            total += climb(i % 5);
        }
        System.out.println("flights " + total);
    }
}
