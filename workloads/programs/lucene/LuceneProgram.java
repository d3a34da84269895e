import org.apache.lucene.analysis.en.EnglishAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.IntPoint;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.SerialMergeScheduler;
import org.apache.lucene.queryparser.classic.QueryParser;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import workloads.Digest;
import workloads.Texts;
import workloads.Workload;

public class LuceneProgram extends Workload {
    private static final int DOCUMENTS = 1500, THREADS = 4, QUERIES = 250;

    @Override public void iterate(Digest digest) throws Exception {
        try (Directory directory = new ByteBuffersDirectory()) {
            index(directory);
            try (DirectoryReader reader = DirectoryReader.open(directory)) {
                IndexSearcher searcher = new IndexSearcher(reader);
                inThreads(THREADS, digest, (thread, d) -> search(searcher, thread, d));
            }
        }
    }

    private static void index(Directory directory) throws Exception {
        Texts texts = new Texts(5);
        IndexWriterConfig config = new IndexWriterConfig(new EnglishAnalyzer()).setMergeScheduler(new SerialMergeScheduler());
        try (IndexWriter writer = new IndexWriter(directory, config)) {
            for (int i = 0; i < DOCUMENTS; i++) {
                Document document = new Document();
                document.add(new StringField("id", "d" + i, Field.Store.YES));
                document.add(new TextField("body", texts.paragraph(4 + texts.below(8)), Field.Store.YES));
                document.add(new IntPoint("year", 1900 + texts.below(120)));
                writer.addDocument(document);
            }
            writer.forceMerge(1);
        }
    }

    private static void search(IndexSearcher searcher, int thread, Digest digest) throws Exception {
        Texts texts = new Texts(100 + thread);
        QueryParser parser = new QueryParser("body", new EnglishAnalyzer());
        for (int i = 0; i < QUERIES; i++) {
            String a = texts.word(), b = texts.word();
            String[] forms = {a, a + " AND " + b, "\"" + a + " " + b + "\"~3", a.substring(0, 2) + "*", a + "~1", a + " OR NOT " + b, "(" + a + " " + b + ")^2 " + texts.word()};
            Query query = parser.parse(forms[i % forms.length]);
            TopDocs top = searcher.search(query, 10);
            digest.add(top.totalHits.value);
            for (ScoreDoc hit : top.scoreDocs) digest.add(searcher.doc(hit.doc).get("id")).add(hit.score);
        }
    }
}
