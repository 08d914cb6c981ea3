package roll.tool.google_search;

import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import roll.api.option.UserException;

/**
 * A cache of answers by query, in memory and optionally in a file of JSON lines {@code {"query": …,
 * "answer": …}} that new answers are appended to.
 */
final class AnswerCache {
  /** Pattern of an incomplete line left by an interrupted run. */
  private static final Pattern CUT = Pattern.compile("\\s*(\\z|\\{\\s*(\\z|\"query\"))");

  private final Map<String, String> answers = new ConcurrentHashMap<>();
  private final @Nullable Path file;

  /**
   * Creates the cache with the answers in {@code file}; skips incomplete lines.
   *
   * @param file the file, which may not exist yet; null for none
   * @throws UserException if it cannot be read or has another format
   */
  AnswerCache(@Nullable Path file) {
    this.file = file;
    if (file != null && Files.exists(file)) {
      read(file);
    }
  }

  private void read(Path from) {
    try {
      List<String> lines = Files.readAllLines(from);
      for (int i = 0; i < lines.size(); i++) {
        if (!add(lines.get(i)) && !CUT.matcher(lines.get(i)).lookingAt()) {
          throw new UserException(from + ":" + (i + 1) + ": no answer kept by google_search");
        }
      }
    } catch (IOException e) {
      throw new UserException(from + " cannot be read: " + e, e);
    }
  }

  private boolean add(String line) {
    try {
      JsonObject kept = JsonParser.parseString(line).getAsJsonObject();
      answers.put(kept.get("query").getAsString(), kept.get("answer").toString());
      return true;
    } catch (JsonParseException | IllegalStateException | NullPointerException e) {
      return false;
    }
  }

  /** Returns the cached JSON answer to {@code query}. */
  Optional<String> get(String query) {
    return Optional.ofNullable(answers.get(query));
  }

  /**
   * Caches the JSON answer to a query.
   *
   * @throws SearchFailure if the file cannot be written
   */
  synchronized void put(String query, String answer) throws SearchFailure {
    if (answers.putIfAbsent(query, answer) != null || file == null) {
      return;
    }
    JsonObject kept = new JsonObject();
    kept.addProperty("query", query);
    kept.add("answer", JsonParser.parseString(answer));
    try {
      if (file.getParent() != null) {
        Files.createDirectories(file.getParent());
      }
      // begins a new line after an incomplete one of an earlier run
      boolean begun = Files.exists(file) && Files.size(file) > 0 && !endsLine(file);
      Files.writeString(
          file,
          (begun ? "\n" : "") + kept + "\n",
          StandardOpenOption.CREATE,
          StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new SearchFailure("the answer could not be kept in " + file);
    }
  }

  private static boolean endsLine(Path file) throws IOException {
    try (var bytes = Files.newByteChannel(file)) {
      bytes.position(bytes.size() - 1);
      ByteBuffer last = ByteBuffer.allocate(1);
      return bytes.read(last) == 1 && last.get(0) == '\n';
    }
  }
}
