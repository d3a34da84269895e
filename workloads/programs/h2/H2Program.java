import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import workloads.Digest;
import workloads.Texts;
import workloads.Workload;

public class H2Program extends Workload {
    private static final int CLIENTS = 2, ACCOUNTS = 1500, TRANSFERS = 5000;
    private int databases;

    @Override public void iterate(Digest digest) throws Exception {
        String url = "jdbc:h2:mem:bank" + databases++ + ";DB_CLOSE_DELAY=-1;LOCK_TIMEOUT=60000";
        try (Connection c = DriverManager.getConnection(url, "sa", ""); Statement s = c.createStatement()) {
            s.execute("CREATE TABLE account(branch INT, id INT, owner VARCHAR(40), balance DECIMAL(14,2), PRIMARY KEY(branch, id))");
            s.execute("CREATE INDEX by_owner ON account(branch, owner)");
            s.execute("CREATE TABLE movement(branch INT, n INT, source INT, target INT, amount DECIMAL(14,2), note VARCHAR(80), PRIMARY KEY(branch, n))");
            inThreads(CLIENTS, digest, (branch, d) -> client(url, branch, d));
            ask(c, "SELECT branch, COUNT(*), SUM(balance), MIN(owner) FROM account GROUP BY branch ORDER BY 1", digest);
            ask(c, "SELECT a.branch, a.owner, SUM(m.amount) t FROM account a JOIN movement m ON a.branch = m.branch AND a.id = m.target GROUP BY a.branch, a.owner HAVING COUNT(*) > 2 ORDER BY t DESC, 1, 2 LIMIT 50", digest);
            s.execute("SHUTDOWN");
        }
    }

    private static void client(String url, int branch, Digest digest) throws SQLException {
        Texts texts = new Texts(10 + branch);
        try (Connection c = DriverManager.getConnection(url, "sa", "");
             PreparedStatement open = c.prepareStatement("INSERT INTO account VALUES(?, ?, ?, 1000)");
             PreparedStatement change = c.prepareStatement("UPDATE account SET balance = balance + ? WHERE branch = ? AND id = ?");
             PreparedStatement note = c.prepareStatement("INSERT INTO movement VALUES(?, ?, ?, ?, ?, ?)");
             PreparedStatement find = c.prepareStatement("SELECT id, balance FROM account WHERE branch = ? AND owner LIKE ? ORDER BY balance DESC, id")) {
            for (int i = 0; i < ACCOUNTS; i++) update(open, branch, i, texts.word());
            c.setAutoCommit(false);
            for (int n = 0; n < TRANSFERS; n++) {
                int from = texts.below(ACCOUNTS), to = texts.below(ACCOUNTS), amount = texts.below(400);
                update(change, -amount, branch, from);
                update(change, amount, branch, to);
                update(note, branch, n, from, to, amount, texts.sentence(4));
                if (texts.chance(10)) c.rollback();
                else c.commit();
                if (n % 5 != 0) continue;
                find.setInt(1, branch);
                find.setString(2, texts.word() + "%");
                try (ResultSet rows = find.executeQuery()) {
                    while (rows.next()) digest.add(rows.getInt(1)).add(rows.getBigDecimal(2).toString());
                }
            }
            c.commit();
        }
    }
    private static void update(PreparedStatement p, Object... values) throws SQLException {
        for (int i = 0; i < values.length; i++) p.setObject(i + 1, values[i]);
        p.executeUpdate();
    }
    private static void ask(Connection c, String sql, Digest digest) throws SQLException {
        try (Statement s = c.createStatement(); ResultSet rows = s.executeQuery(sql)) {
            int columns = rows.getMetaData().getColumnCount();
            while (rows.next()) for (int i = 1; i <= columns; i++) digest.add(rows.getString(i));
        }
    }
}
