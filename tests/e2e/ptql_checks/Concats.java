/** Builds strings piece by piece, as "+" does in code for Java 5 to 8, and otherwise. */
public class Concats {
    static String plus(int times) {
        String text = "plus ";
        for (int i = 0; i < times; ++i) text = text + i;
        return text;
    }

    static String before(int times) {
        String text = " before";
        for (int i = 0; i < times; ++i) text = i + text;
        return text;
    }

    static String assigned(int times) {
        String text = "assigned ";
        for (int i = 0; i < times; ++i) text += i + ", ";
        return text;
    }

    static String inTwoStatements(int times) {
        String text = "statements ";
        for (int i = 0; i < times; ++i) {
            StringBuilder longer = new StringBuilder();
            longer.append(text);
            longer.append(i);
            text = longer.toString();
        }
        return text;
    }

    static String copied(int times) {
        String text = "copied ";
        for (int i = 0; i < times; ++i) text = new StringBuilder(text).append(i).toString();
        return text;
    }

    static String buffered(int times) {
        String text = "buffered ";
        for (int i = 0; i < times; ++i) text = new StringBuffer().append(text).append(i).toString();
        return text;
    }

    static String asObject(int times) {
        Object text = "object ";
        for (int i = 0; i < times; ++i) text = new StringBuilder().append(text).append(i).toString();
        return (String) text;
    }

    static String inOneBuilder(int times) {
        StringBuilder text = new StringBuilder("builder ");
        for (int i = 0; i < times; ++i) text.append(i).append(", ");
        return text.toString();
    }

    public static void main(String[] args) {
        int times = Integer.parseInt(args[0]);
        System.out.println(plus(times));
        System.out.println(before(times));
        System.out.println(assigned(times));
        System.out.println(inTwoStatements(times));
        System.out.println(copied(times));
        System.out.println(buffered(times));
        System.out.println(asObject(times));
        System.out.println(inOneBuilder(times));
    }
}
