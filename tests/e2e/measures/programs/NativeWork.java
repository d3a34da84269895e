import java.util.Random;
import java.util.zip.Deflater;

/**
 * Works in Java code and in native code by turns. A turn takes a random part of a millisecond or two, so that no sampler is in
 * step with the turns. Each run has the same ones.
 */
public class NativeWork {
    static volatile long sink;

    static void burn(int times) {
        long sum = 0;
        for (int i = 0; i < times; i++) sum += i * sum + 7;
        sink = sum;
    }

    static void pack(byte[] bytes, int length, byte[] packed) {
        Deflater deflater = new Deflater(9);
        deflater.setInput(bytes, 0, length);
        deflater.finish();
        while (!deflater.finished()) sink = deflater.deflate(packed);
        deflater.end();
    }

    public static void main(String[] args) {
        byte[] bytes = new byte[40_000], packed = new byte[1 << 16];
        Random random = new Random(1);
        for (int i = 0; i < bytes.length; i++) bytes[i] = (byte) random.nextInt(16);
        for (int i = 0; i < 1200; i++) {
            burn(random.nextInt(800_000));
            pack(bytes, random.nextInt(bytes.length), packed);
        }
    }
}
