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

/** Client of a web search API with a cache of answers. Concurrent equal queries are sent once. */
final class SearchEngine implements AutoCloseable {
  private final Source source;
  private final RetryingClient client;
  private final AnswerCache cache;
  private final ConcurrentHashMap<String, ReentrantLock> asking = new ConcurrentHashMap<>();

  /**
   * The settings of an engine; equal settings share one engine.
   *
   * @param address URL of an API like Serper's
   * @param cacheFile file of the cache, or null
   */
  record Source(URI address, String key, RetryingClient.Limits limits, @Nullable Path cacheFile) {}

  /**
   * Creates the engine of {@code source}.
   *
   * @throws roll.api.option.UserException if its cache cannot be read
   */
  SearchEngine(Source source) {
    this.source = source;
    cache = new AnswerCache(source.cacheFile());
    client = new RetryingClient(source.limits());
  }

  /**
   * Returns the result of a query for the model.
   *
   * @param most maximum number of results
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

  /** Returns the JSON answer to {@code words}; error messages never contain the key. */
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
