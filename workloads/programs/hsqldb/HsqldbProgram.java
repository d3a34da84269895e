import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.Statement;
import workloads.Digest;
import workloads.Texts;
import workloads.Workload;

public class HsqldbProgram extends Workload {
    private static final String[] QUERIES = {
        "SELECT kind, COUNT(*), SUM(price * amount), AVG(price) FROM sale JOIN item ON item = item.id GROUP BY kind ORDER BY kind",
        "SELECT city, MAX(total) FROM (SELECT city, buyer, SUM(amount) total FROM sale GROUP BY city, buyer) GROUP BY city ORDER BY 2 DESC, 1",
        "SELECT name, total FROM best WHERE total > 40 ORDER BY total DESC, name",
        "SELECT COUNT(*) FROM sale a WHERE EXISTS (SELECT * FROM sale b WHERE b.buyer = a.buyer AND b.id > a.id AND b.city = 'c3')",
        "SELECT UPPER(SUBSTR(name, 1, 4)) p, COUNT(*), GROUP_CONCAT(kind ORDER BY id SEPARATOR '/') FROM item WHERE name LIKE '%a%' GROUP BY UPPER(SUBSTR(name, 1, 4)) ORDER BY 1",
        "WITH RECURSIVE r(n, f) AS (VALUES (1, CAST(1 AS DOUBLE)) UNION ALL SELECT n + 1, f * 1.5 FROM r WHERE n < 60) SELECT n, f FROM r WHERE MOD(n, 7) = 0 ORDER BY n",
    };
    private int databases;

    @Override public void iterate(Digest digest) throws Exception {
        try (Connection c = DriverManager.getConnection("jdbc:hsqldb:mem:shop" + databases++, "SA", ""); Statement s = c.createStatement()) {
            s.execute("SET DATABASE SQL SYNTAX ORA FALSE");
            s.execute("CREATE TABLE item(id INT PRIMARY KEY, name VARCHAR(40), kind VARCHAR(10), price DECIMAL(8,2))");
            s.execute("CREATE TABLE sale(id INT PRIMARY KEY, item INT, buyer INT, city VARCHAR(10), amount INT)");
            s.execute("CREATE INDEX by_buyer ON sale(buyer)");
            s.execute("CREATE VIEW best AS SELECT name, SUM(amount) total FROM sale JOIN item ON item = item.id GROUP BY name");
            Texts texts = new Texts(4);
            try (PreparedStatement p = c.prepareStatement("INSERT INTO item VALUES(?, ?, ?, ?)")) {
                for (int i = 0; i < 600; i++) insert(p, i, texts.word() + i, "k" + texts.below(9), texts.below(9000) / 100.0);
            }
            try (PreparedStatement p = c.prepareStatement("INSERT INTO sale VALUES(?, ?, ?, ?, ?)")) {
                for (int i = 0; i < 7000; i++) insert(p, i, texts.below(600), texts.below(300), "c" + texts.below(12), 1 + texts.below(9));
            }
            for (int round = 0; round < 3; round++) {
                for (String query : QUERIES) {
                    try (ResultSet rows = s.executeQuery(query)) {
                        int columns = rows.getMetaData().getColumnCount();
                        while (rows.next()) for (int i = 1; i <= columns; i++) digest.add(rows.getString(i));
                    }
                }
                s.execute("UPDATE sale SET amount = amount + 1 WHERE MOD(id, 5) = " + round);
                s.execute("DELETE FROM sale WHERE MOD(id, 31) = " + round);
            }
            s.execute("SHUTDOWN");
        }
    }
    private static void insert(PreparedStatement p, Object... values) throws Exception {
        for (int i = 0; i < values.length; i++) p.setObject(i + 1, values[i]);
        p.executeUpdate();
    }
}
