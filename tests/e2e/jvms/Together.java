// Programs of the exactness tests, one after the other in one JVM: what is recorded of them depends on
// nothing but their own code, so every JVM must leave the same tree. Twice, the second time with
// compiled code and classes that are ready.
public class Together {
    public static void main(String[] args) throws Throwable {
        for (int round = 0; round < 2; round++) {
            Dispatch.main(args);
            Exceptions.main(args);
            Initialisers.main(args);
            Lambdas.main(args);
            Recursion.main(args);
            Reflection.main(args);
            Synchronized.main(args);
            Threads.main(args);
        }
    }
}
