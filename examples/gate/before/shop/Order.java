package shop;

class Order {
    private final int id;
    private final String customer;
    private final int amount;

    Order(int id, String customer, int amount) {
        this.id = id;
        this.customer = customer;
        this.amount = amount;
    }

    int id() {
        return id;
    }

    String customer() {
        return customer;
    }

    int amount() {
        return amount;
    }
}
