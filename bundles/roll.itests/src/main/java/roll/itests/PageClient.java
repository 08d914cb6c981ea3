package roll.itests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import roll.runtime.pipeline.TrainingRun;

/** A client of the live page. */
final class PageClient implements AutoCloseable {
  private static final Pattern TOKEN = Pattern.compile("name=\"roll-token\" content=\"([^\"]+)\"");

  private final HttpClient client = HttpClient.newHttpClient();

  /** Opens the stream of events. */
  HttpResponse<InputStream> events(URI page) throws IOException, InterruptedException {
    return client.send(
        HttpRequest.newBuilder(page.resolve("/api/events")).build(), BodyHandlers.ofInputStream());
  }

  /** Returns the id of {@code run} in URLs. */
  String id(URI page, TrainingRun run) throws Exception {
    String folder = run.folder().toAbsolutePath().normalize().toString();
    for (JsonElement one : json(get(page, "/api/runs")).getAsJsonArray("runs")) {
      if (one.getAsJsonObject().get("folder").getAsString().equals(folder)) {
        return one.getAsJsonObject().get("id").getAsString();
      }
    }
    throw new AssertionError("the page does not list run " + run.number());
  }

  HttpResponse<String> get(URI page, String path) throws Exception {
    return client.send(HttpRequest.newBuilder(page.resolve(path)).build(), BodyHandlers.ofString());
  }

  /** Returns the page's token for orders. */
  String token(URI page) throws Exception {
    Matcher token = TOKEN.matcher(get(page, "/").body());
    assertTrue(token.find());
    return token.group(1);
  }

  /** Sends an order, which must succeed, and returns the answer. */
  String line(URI page, String path, Object body) throws Exception {
    HttpResponse<String> answer = post(page, path, body);
    assertEquals(200, answer.statusCode(), answer.body());
    return json(answer).get("line").getAsString();
  }

  /** Sends an order with the page's token. */
  HttpResponse<String> post(URI page, String path, Object body) throws Exception {
    byte[] bytes =
        body instanceof byte[] raw ? raw : body.toString().getBytes(StandardCharsets.UTF_8);
    return client.send(
        HttpRequest.newBuilder(page.resolve(path))
            .header("X-Roll-Token", token(page))
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofByteArray(bytes))
            .build(),
        BodyHandlers.ofString());
  }

  static String error(HttpResponse<String> answer) {
    return JsonParser.parseString(answer.body()).getAsJsonObject().get("error").getAsString();
  }

  static JsonObject json(HttpResponse<String> answer) {
    assertEquals(200, answer.statusCode(), answer.body());
    return JsonParser.parseString(answer.body()).getAsJsonObject();
  }

  @Override
  public void close() {
    client.shutdownNow(); // close() would wait for streams that are not read to the end
  }
}
