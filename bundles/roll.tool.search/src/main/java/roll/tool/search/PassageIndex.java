package roll.tool.search;

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.en.EnglishAnalyzer;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StoredField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.IndexWriterConfig.OpenMode;
import org.apache.lucene.index.LogDocMergePolicy;
import org.apache.lucene.index.SerialMergeScheduler;
import org.apache.lucene.index.StoredFields;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.BoostQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.similarities.BM25Similarity;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.LockObtainFailedException;
import org.apache.lucene.store.NIOFSDirectory;
import roll.api.option.UserException;

/**
 * A full-text index of a corpus with Lucene: English stems and BM25 (k1 1.2, b 0.75). Threads may
 * search concurrently, but not after closing.
 */
final class PassageIndex implements Closeable {
  private static final String CONTENTS = "contents";
  private static final String TITLE = "title";
  private static final String TEXT = "text";
  private static final String MADE_OF = "roll.tool.search";

  /** Maximum number of words of a query; Lucene accepts 1,024 different ones. */
  private static final int MOST_WORDS = 256;

  /** Lucene's logger, whose warning only concerns the speed of vector search. */
  private static final Logger LUCENE = Logger.getLogger("org.apache.lucene");

  private final Analyzer analyzer;
  private final DirectoryReader reader;
  private final IndexSearcher searcher;

  private PassageIndex(Analyzer analyzer, DirectoryReader reader) {
    this.analyzer = analyzer;
    this.reader = reader;
    searcher = new IndexSearcher(reader);
    searcher.setSimilarity(new BM25Similarity());
    searcher.setQueryCache(null);
  }

  /** Creates an index in memory. */
  static PassageIndex inMemory(Corpus corpus) {
    return open(new ByteBuffersDirectory(), corpus);
  }

  /**
   * Opens the index in {@code folder}; rebuilds it if it has other files or their earlier state.
   *
   * @throws UserException if the folder has anything else, or is being written
   */
  static PassageIndex kept(Path folder, Corpus corpus) {
    try {
      Files.createDirectories(folder);
      Directory directory = new NIOFSDirectory(folder);
      if (!DirectoryReader.indexExists(directory)) {
        try (Stream<Path> files = Files.list(folder)) {
          // an interrupted build leaves a lock file
          if (files.anyMatch(file -> !file.endsWith("write.lock"))) {
            throw new UserException(folder + " is not empty, and no index of the tool search");
          }
        }
      }
      return open(directory, corpus);
    } catch (IOException e) {
      throw new UserException(folder + " cannot keep an index: " + e, e);
    }
  }

  private static PassageIndex open(Directory directory, Corpus corpus) {
    LUCENE.setLevel(Level.SEVERE);
    Analyzer analyzer = new EnglishAnalyzer();
    try {
      String madeOf = "";
      if (DirectoryReader.indexExists(directory)) {
        DirectoryReader reader = DirectoryReader.open(directory);
        madeOf = reader.getIndexCommit().getUserData().get(MADE_OF);
        if (corpus.fingerprint().equals(madeOf)) {
          return new PassageIndex(analyzer, reader);
        }
        reader.close();
      }
      if (madeOf == null) {
        throw new UserException(directory + " holds an index of something else");
      }
      build(directory, analyzer, corpus);
      return new PassageIndex(analyzer, DirectoryReader.open(directory));
    } catch (LockObtainFailedException e) {
      throw new UserException(directory + " is being written by another run", e);
    } catch (IOException e) {
      throw new UserException(directory + " cannot keep an index: " + e, e);
    }
  }

  /** Builds the index; the previous one remains until the new one is complete. */
  private static void build(Directory directory, Analyzer analyzer, Corpus corpus)
      throws IOException {
    // one thread, and merging of neighbors only: equal scores keep the order of the files
    IndexWriterConfig config =
        new IndexWriterConfig(analyzer)
            .setOpenMode(OpenMode.CREATE)
            .setSimilarity(new BM25Similarity())
            .setMergePolicy(new LogDocMergePolicy())
            .setMergeScheduler(new SerialMergeScheduler())
            .setCommitOnClose(false);
    try (IndexWriter writer = new IndexWriter(directory, config)) {
      corpus.read(passage -> add(writer, passage));
      writer.forceMerge(1);
      writer.setLiveCommitData(Map.of(MADE_OF, corpus.fingerprint()).entrySet());
      writer.commit();
    }
  }

  private static void add(IndexWriter writer, Passage passage) {
    Document document = new Document();
    document.add(new TextField(CONTENTS, passage.title() + "\n" + passage.text(), Field.Store.NO));
    document.add(new StoredField(TITLE, passage.title()));
    document.add(new StoredField(TEXT, passage.text()));
    try {
      writer.addDocument(document);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the {@code most} best passages with any word of {@code query}, best first. */
  List<Passage> search(String query, int most) {
    try {
      BooleanQuery.Builder words = new BooleanQuery.Builder();
      terms(query)
          .forEach(
              (term, times) ->
                  words.add(
                      new BoostQuery(new TermQuery(new Term(CONTENTS, term)), times),
                      Occur.SHOULD));
      StoredFields stored = searcher.storedFields();
      List<Passage> found = new ArrayList<>();
      for (ScoreDoc hit : searcher.search(words.build(), most).scoreDocs) {
        Document document = stored.document(hit.doc);
        found.add(new Passage(document.get(TITLE), document.get(TEXT)));
      }
      return found;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the number of indexed passages. */
  int size() {
    return reader.numDocs();
  }

  /** Creates the analyzer of passages and queries. */
  Analyzer analyzer() {
    return analyzer;
  }

  /** Returns the stems of {@code words} with their counts. */
  Map<String, Integer> terms(String words) throws IOException {
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

  @Override
  public void close() {
    try {
      reader.close();
      reader.directory().close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
