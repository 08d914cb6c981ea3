package roll.serve;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A client that knows OpenAI's interface and nothing else of the server. */
final class OpenAiClient implements AutoCloseable {
  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final String base;
  private final @Nullable String key;

  OpenAiClient(int port, @Nullable String key) {
    this.base = "http://127.0.0.1:" + port;
    this.key = key;
  }

  /** Posts {@code body} and returns the answer of any status. */
  HttpResponse<String> post(String path, String body, String type) {
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(base + path));
    request.header("Content-Type", type).POST(BodyPublishers.ofString(body));
    return send(request);
  }

  HttpResponse<String> post(String path, String body) {
    return post(path, body, "application/json");
  }

  HttpResponse<String> get(String path) {
    return send(HttpRequest.newBuilder(URI.create(base + path)));
  }

  private HttpResponse<String> send(HttpRequest.Builder request) {
    if (key != null) {
      request.header("Authorization", "Bearer " + key);
    }
    try {
      return http.send(request.build(), BodyHandlers.ofString());
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Posts {@code body} and returns the JSON of an answer with status 200. */
  JsonObject ask(String path, String body) {
    HttpResponse<String> response = post(path, body);
    if (response.statusCode() != 200) {
      throw new IllegalStateException(response.statusCode() + " " + response.body());
    }
    return JsonParser.parseString(response.body()).getAsJsonObject();
  }

  /** Posts {@code body} and returns the chunks of the stream without its end mark. */
  List<JsonObject> stream(String path, String body) {
    HttpResponse<String> response = post(path, body);
    String type = response.headers().firstValue("Content-Type").orElse("");
    if (!type.equals("text/event-stream; charset=utf-8")) {
      throw new IllegalStateException(type + " " + response.body());
    }
    List<JsonObject> parts = new ArrayList<>();
    String[] events = response.body().split("\n\n", -1);
    for (String event : events) {
      if (event.startsWith("data: {")) {
        parts.add(JsonParser.parseString(event.substring("data: ".length())).getAsJsonObject());
      }
    }
    if (!response.body().endsWith("\n\ndata: [DONE]\n\n")) {
      throw new IllegalStateException(response.body());
    }
    return parts;
  }

  /** Returns the first choice of an answer or a chunk. */
  static JsonObject choice(JsonObject answer) {
    return answer.getAsJsonArray("choices").get(0).getAsJsonObject();
  }

  /** Returns the joined text of choice {@code index} in {@code parts}. */
  static String said(List<JsonObject> parts, int index) {
    StringBuilder text = new StringBuilder();
    for (JsonObject part : parts) {
      JsonArray choices = part.getAsJsonArray("choices");
      if (!choices.isEmpty()
          && choices.get(0).getAsJsonObject().get("index").getAsInt() == index
          && choices.get(0).getAsJsonObject().get("delta") instanceof JsonObject delta
          && delta.has("content")) {
        text.append(delta.get("content").getAsString());
      }
    }
    return text.toString();
  }

  @Override
  public void close() {
    http.shutdownNow();
  }
}
