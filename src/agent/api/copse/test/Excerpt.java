package copse.test;

import java.nio.ByteBuffer;

/** What the agent has recorded, as it tells it (excerpt_natives.h), read when it is asked for. */
final class Excerpt {
    final boolean isMerged;
    final boolean isWhole;
    final long lost;
    final int own;  // the first so many rows are of the thread that began it
    private final ByteBuffer rows;
    private final int count;
    private Calls calls;

    private Excerpt(byte flags, long lost, int count, int own, ByteBuffer rows) {
        this.isMerged = (flags & 1) != 0;
        this.isWhole = (flags & 2) == 0;
        this.lost = lost;
        this.count = count;
        this.own = own;
        this.rows = rows;
    }

    static Excerpt of(byte[] bytes) {
        ByteBuffer in = ByteBuffer.wrap(bytes);
        return new Excerpt(in.get(), in.getLong(), in.getInt(), in.getInt(), in);
    }

    synchronized Calls calls() {
        if (calls == null) calls = read();
        return calls;
    }

    private Calls read() {
        int[] ids = new int[count];
        Calls all = new Calls(new int[count], new Method[count], new Calls.Site[count], new long[count], isMerged);
        for (int row = 0; row < count; row++) {
            all.parents[row] = rows.getInt() - 1;
            ids[row] = rows.getInt();
            int site = rows.getChar();
            all.calls[row] = rows.getLong();
            all.methods[row] = Methods.get(ids[row]);
            if (all.parents[row] != Calls.NONE && site != 0) {
                long place = Agent.site(ids[all.parents[row]], site);
                all.sites[row] = new Calls.Site((int) (place >> 32), (int) place);
            }
        }
        return all;
    }
}
