package roll.tool.google_search;

import com.google.gson.JsonObject;
import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import roll.remote.RequestFailure;
import roll.remote.RetryingClient;

/** A search engine and what it answered so far. A query that many ask at once is sent once. */
final class SearchEngine implements AutoCloseable {
  private final Source source;
  private final RetryingClient client;
  private final AnswerCache cache;
  private final ConcurrentHashMap<String, ReentrantLock> asking = new ConcurrentHashMap<>();

  /**
   * What makes an engine; equal ones are one engine.
   *
   * @param address of a service that answers as Serper does
   * @param cacheFile where answers are kept, or null
   */
  record Source(URI address, String key, RetryingClient.Limits limits, @Nullable Path cacheFile) {}

  /**
   * The engine of {@code source}.
   *
   * @throws roll.api.option.UserException if its cache cannot be read
   */
  SearchEngine(Source source) {
    this.source = source;
    cache = new AnswerCache(source.cacheFile());
    client = new RetryingClient(source.limits());
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
        return SearchResultText.text(known, most);
      }
      String answer = ask(words);
      String text = SearchResultText.text(answer, most);
      cache.put(words, answer);
      return text;
    } finally {
      lock.unlock();
      asking.remove(words, lock);
    }
  }

  /** The JSON that answers {@code words}; the message of a failure never has the key. */
  private String ask(String words) throws SearchFailure, InterruptedException {
    JsonObject body = new JsonObject();
    body.addProperty("q", words);
    try {
      return client.post(source.address(), Map.of("X-API-KEY", source.key()), body.toString());
    } catch (RequestFailure e) {
      String problem = e.getCause() == null ? e.getMessage() : "could not be reached" + e.times();
      throw new SearchFailure("the search engine " + problem);
    }
  }

  @Override
  public void close() {
    client.close();
  }
}
