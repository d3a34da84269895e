package workloads;

/** A 64-bit FNV-1a hash of what a workload produced. */
public final class Digest {
    private long hash = 0xcbf29ce484222325L;

    public Digest add(byte[] bytes) {
        for (byte b : bytes) hash = (hash ^ (b & 0xff)) * 0x100000001b3L;
        return this;
    }
    public Digest add(int[] values) {
        for (int v : values) hash = (hash ^ v) * 0x100000001b3L;
        return this;
    }
    public Digest add(long value) {
        for (int i = 0; i < 64; i += 8) hash = (hash ^ (value >>> i & 0xff)) * 0x100000001b3L;
        return this;
    }
    public Digest add(double value) { return add(Double.doubleToLongBits(value)); }
    public Digest add(String text) { return add(text.getBytes(java.nio.charset.StandardCharsets.UTF_8)); }
    public long value() { return hash; }
    @Override public String toString() { return String.format("%016x", hash); }
}
