package roll.tool.google_search;

import java.nio.file.Path;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** A search engine and what it answered so far. A query that many ask at once is sent once. */
final class Engine implements AutoCloseable {
  private final Endpoint endpoint;
  private final AnswerCache cache;
  private final ConcurrentHashMap<String, ReentrantLock> asking = new ConcurrentHashMap<>();

  /**
   * What makes an engine; equal ones are one engine.
   *
   * @param cacheFile where answers are kept, or null
   */
  record Source(Endpoint.Access access, @Nullable Path cacheFile) {}

  /**
   * The engine of {@code source}.
   *
   * @throws roll.api.config.UserException if its cache cannot be read
   */
  Engine(Source source) {
    cache = new AnswerCache(source.cacheFile());
    endpoint = new Endpoint(source.access());
  }

  /**
   * What a model is told.
   *
   * @param most results
   */
  String search(String query, int most) throws SearchFailure, InterruptedException {
    String words = query.strip().replaceAll("\\s+", " ");
    if (words.isEmpty()) {
      throw new SearchFailure("the query is empty");
    }
    ReentrantLock lock = asking.computeIfAbsent(words, key -> new ReentrantLock());
    lock.lockInterruptibly();
    try {
      String known = cache.get(words).orElse(null);
      if (known != null) {
        return Answers.text(known, most);
      }
      String answer = endpoint.ask(words);
      String text = Answers.text(answer, most);
      cache.put(words, answer);
      return text;
    } finally {
      lock.unlock();
      asking.remove(words, lock);
    }
  }

  @Override
  public void close() {
    endpoint.close();
  }
}
