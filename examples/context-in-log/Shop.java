import copse.Context;

/** A program whose log lines say from where they were written: one number each. */
public class Shop {
    static void log(String what) {
        System.out.println("context=" + Context.id() + " " + what);
    }

    static void charge(int cents) {
        if (cents > 1000) log("large payment: " + cents);
    }

    static void order(int[] prices) {
        int sum = 0;
        for (int price : prices) sum += price;
        charge(sum);
    }

    static void refund(int cents) {
        charge(cents);
    }

    public static void main(String[] arguments) {
        order(new int[] {300, 900});
        order(new int[] {100});
        refund(4200);
    }
}
