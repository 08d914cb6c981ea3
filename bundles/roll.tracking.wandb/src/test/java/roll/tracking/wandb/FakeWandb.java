package roll.tracking.wandb;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import roll.testkit.TestHttpServer;

/** A server that takes what wandb's takes, as its client sends it, and nothing else. */
final class FakeWandb implements AutoCloseable {
  static final String KEY = "0123456789abcdef";

  /** Lines of each run's history, by the run's id. */
  final Map<String, List<JsonObject>> history = new TreeMap<>();

  final Map<String, JsonObject> summaries = new TreeMap<>();
  final List<JsonObject> upserts = new ArrayList<>();
  final List<String> ended = new ArrayList<>();
  final List<String> problems = new ArrayList<>();

  /** The number of requests are answered with {@link #failure}. */
  int failures;

  int failure = 503;
  private final TestHttpServer endpoint = new TestHttpServer("/", "");

  FakeWandb() throws IOException {
    endpoint.answers(this::handle);
  }

  String address() {
    return endpoint.address();
  }

  private synchronized void handle(HttpExchange exchange, int number) throws IOException {
    if (failures > 0) {
      failures--;
      TestHttpServer.answer(exchange, failure, "null");
      return;
    }
    @Nullable JsonObject answer = answer(exchange, endpoint.bodies().get(number - 1));
    TestHttpServer.answer(exchange, answer == null ? 400 : 200, String.valueOf(answer));
  }

  private @Nullable JsonObject answer(HttpExchange exchange, String body) {
    String user = String.valueOf(exchange.getRequestHeaders().getFirst("Authorization"));
    String right =
        Base64.getEncoder().encodeToString(("api:" + KEY).getBytes(StandardCharsets.UTF_8));
    JsonObject json = JsonParser.parseString(body).getAsJsonObject();
    String path = exchange.getRequestURI().getPath();
    if (!user.equals("Basic " + right) || !exchange.getRequestMethod().equals("POST")) {
      problems.add(exchange.getRequestMethod() + " " + user);
      return null;
    }
    if (path.equals("/graphql")) {
      return upsert(json);
    }
    String[] parts = path.split("/", -1);
    if (parts.length != 6 || !parts[1].equals("files") || !parts[5].equals("file_stream")) {
      problems.add(path);
      return null;
    }
    return stream(parts[2] + "/" + parts[3], parts[4], json);
  }

  private JsonObject upsert(JsonObject json) {
    JsonObject variables = json.getAsJsonObject("variables");
    upserts.add(variables);
    String id = variables.get("name").getAsString();
    String entity =
        variables.get("entity").isJsonNull() ? "own" : variables.get("entity").getAsString();
    boolean inserted = !history.containsKey(id);
    int lines = history.computeIfAbsent(id, key -> new ArrayList<>()).size();
    String answer =
        """
        {"data":{"upsertBucket":{"bucket":{"id":"UnVu","name":"%s","displayName":%s,
          "historyLineCount":%d,"project":{"name":%s,"entity":{"name":"%s"}}},"inserted":%s}}}
        """
            .formatted(
                id,
                variables.get("displayName"),
                lines,
                variables.get("project"),
                entity,
                inserted);
    return JsonParser.parseString(answer).getAsJsonObject();
  }

  private @Nullable JsonObject stream(String project, String id, JsonObject json) {
    List<JsonObject> lines = history.get(id);
    if (lines == null || !project.equals("own/roll")) {
      problems.add("no run " + project + "/" + id);
      return null;
    }
    if (json.has("complete")) {
      ended.add(id + " " + json.get("complete") + " " + json.get("exitcode"));
      return new JsonObject();
    }
    JsonObject files = json.getAsJsonObject("files");
    JsonObject sent = files.getAsJsonObject("wandb-history.jsonl");
    if (sent.get("offset").getAsInt() != lines.size()) {
      problems.add("offset " + sent.get("offset") + " after " + lines.size() + " lines");
    }
    for (var line : sent.getAsJsonArray("content")) {
      lines.add(JsonParser.parseString(line.getAsString()).getAsJsonObject());
    }
    JsonArray summary = files.getAsJsonObject("wandb-summary.json").getAsJsonArray("content");
    summaries.put(id, JsonParser.parseString(summary.get(0).getAsString()).getAsJsonObject());
    return new JsonObject();
  }

  @Override
  public void close() {
    endpoint.close();
  }
}
