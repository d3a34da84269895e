// The system class loader of a program (-Djava.system.class.loader=SystemLoader): made, and asked for the
// program's classes, before the JVM is fully there.
import java.io.IOException;
import java.io.InputStream;

public class SystemLoader extends ClassLoader {
    private int asked;

    public SystemLoader(ClassLoader parent) { super(parent); }

    @Override protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        synchronized (getClassLoadingLock(name)) {
            asked++;
            Class<?> found = findLoadedClass(name);
            if (found != null) return found;
            return name.startsWith("Modern") ? own(name) : super.loadClass(name, resolve);
        }
    }

    private Class<?> own(String name) throws ClassNotFoundException {
        try (InputStream in = getResourceAsStream(name + ".class")) {
            byte[] bytes = in.readAllBytes();
            return defineClass(name, bytes, 0, bytes.length);
        } catch (IOException e) {
            throw new ClassNotFoundException(name, e);
        }
    }

    /** For -javaagent and class data sharing. */
    private void appendToClassPathForInstrumentation(String path) {
        throw new UnsupportedOperationException(path + " " + asked);
    }
}
