package roll.env.webshop.catalogue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.en.EnglishAnalyzer;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LogDocMergePolicy;
import org.apache.lucene.index.SerialMergeScheduler;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.BoostQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.similarities.BM25Similarity;
import org.apache.lucene.search.similarities.Similarity;
import org.apache.lucene.store.ByteBuffersDirectory;

/**
 * Full-text search over a list of documents: Lucene with Porter stems and BM25, in memory.
 * Immutable once built, for any number of threads. It holds nothing but memory, so it is not
 * closed: episodes of a stopped environment still finish, and it goes with the last of them.
 */
final class SearchIndex {
  private static final String CONTENTS = "contents";

  /** Words of a query that count; Lucene takes at most 1,024 different ones. */
  private static final int MOST_WORDS = 256;

  /**
   * Lucene warns about what only speeds up vector search: a module of the JDK, options of the VM.
   */
  private static final Logger LUCENE = Logger.getLogger("org.apache.lucene");

  private final Analyzer analyzer;
  private final IndexSearcher searcher;

  /** An index of {@code documents}, which are known by their places in the list from here on. */
  SearchIndex(List<String> documents) {
    LUCENE.setLevel(Level.SEVERE);
    analyzer = new EnglishAnalyzer();
    // Pyserini's constants, with which WebShop searches
    Similarity similarity = new BM25Similarity(0.9f, 0.4f);
    // one thread and a policy that joins neighbors only: a document's number is its place
    IndexWriterConfig config =
        new IndexWriterConfig(analyzer)
            .setSimilarity(similarity)
            .setMergePolicy(new LogDocMergePolicy())
            .setMergeScheduler(new SerialMergeScheduler());
    ByteBuffersDirectory memory = new ByteBuffersDirectory();
    try {
      try (IndexWriter writer = new IndexWriter(memory, config)) {
        for (String text : documents) {
          Document document = new Document();
          document.add(new TextField(CONTENTS, text, Field.Store.NO));
          writer.addDocument(document);
        }
        writer.forceMerge(1);
      }
      searcher = new IndexSearcher(DirectoryReader.open(memory));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    searcher.setSimilarity(similarity);
    searcher.setQueryCache(null);
  }

  /** The places of the best {@code most} documents for {@code words}, the best first. */
  int[] search(String words, int most) {
    try {
      BooleanQuery.Builder query = new BooleanQuery.Builder();
      terms(words)
          .forEach(
              (term, times) ->
                  query.add(
                      new BoostQuery(new TermQuery(new Term(CONTENTS, term)), times),
                      Occur.SHOULD));
      return Arrays.stream(searcher.search(query.build(), most).scoreDocs)
          .mapToInt(hit -> hit.doc)
          .toArray();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The stems of the words and how often each occurs. */
  private Map<String, Integer> terms(String words) throws IOException {
    Map<String, Integer> terms = new LinkedHashMap<>();
    try (TokenStream tokens = analyzer.tokenStream(CONTENTS, words)) {
      CharTermAttribute term = tokens.addAttribute(CharTermAttribute.class);
      tokens.reset();
      for (int i = 0; i < MOST_WORDS && tokens.incrementToken(); i++) {
        terms.merge(term.toString(), 1, Integer::sum);
      }
      tokens.end();
    }
    return terms;
  }
}
