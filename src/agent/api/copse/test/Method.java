package copse.test;

/**
 * A method as reports name it. What stands for no method of the program, such as a group of threads, has no class.
 */
final class Method {
    final String className;
    final String name;
    final String descriptor;

    Method(String className, String name, String descriptor) {
        this.className = className;
        this.name = name;
        this.descriptor = descriptor;
    }

    String fullName() {
        return className.isEmpty() ? name : className + "." + name;
    }

    @Override
    public String toString() {
        return fullName();
    }
}
