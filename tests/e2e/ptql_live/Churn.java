/** Makes objects that die young, for so many seconds, and asks each for its hash code twice; prints how many. */
public class Churn {
    private final int number;

    Churn(int number) {
        this.number = number;
    }

    @Override
    public int hashCode() {
        return number;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Churn churn && churn.number == number;
    }

    public static void main(String[] args) {
        long end = System.nanoTime() + 1_000_000_000L * Long.parseLong(args[0]);
        int made = 0;
        int sum = 0;
        while (System.nanoTime() < end) {
            Churn churn = new Churn(made++);
            sum += churn.hashCode() - churn.hashCode();
        }
        System.out.println(made + " objects, " + sum);
    }
}
