package roll.env.webshop.catalog;

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
 * Full-text search over a list of documents: Lucene with Porter stemming and BM25, in memory.
 * Immutable and thread-safe. It holds only memory and is not closed, so episodes of a stopped
 * environment can still finish.
 */
final class SearchIndex {
  private static final String CONTENTS = "contents";

  /** Maximum words of a query; Lucene allows 1,024 distinct ones. */
  private static final int MOST_WORDS = 256;

  /** Logger of Lucene, which warns about missing accelerations of vector search. */
  private static final Logger LUCENE = Logger.getLogger("org.apache.lucene");

  private final Analyzer analyzer;
  private final IndexSearcher searcher;

  /** Creates an index of {@code documents}, which are identified by their index in the list. */
  SearchIndex(List<String> documents) {
    LUCENE.setLevel(Level.SEVERE);
    analyzer = new EnglishAnalyzer();
    // Pyserini's constants, with which WebShop searches
    Similarity similarity = new BM25Similarity(0.9f, 0.4f);
    // one thread and merges of adjacent segments only, so that a document's number is its index
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

  /** Returns the indices of the best {@code most} documents for {@code words}, the best first. */
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

  /** Returns the stems of the words and their counts. */
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
