package roll.tracking.mlflow;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import roll.api.option.UserException;

/** A client of MLflow's REST API 2.0. */
final class MlflowServer {
  private static final Duration TIMEOUT = Duration.ofSeconds(20);
  private static final int MAX_MESSAGE = 300;

  private final URI base;
  private final @Nullable String authorization;
  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(TIMEOUT).build();

  /**
   * Creates the client of an MLflow server.
   *
   * @param base of all paths, with a slash at the end
   * @param authorization header, or null
   */
  MlflowServer(URI base, @Nullable String authorization) {
    this.base = base;
    this.authorization = authorization;
  }

  /**
   * Posts the JSON {@code body} to {@code path} of the MLflow server.
   *
   * @throws IOException if the request failed and may be retried
   * @throws UserException if it must not be retried
   */
  JsonObject post(String path, JsonObject body) throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(base.resolve(path))
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(body.toString()));
    return read(path, send(request));
  }

  /**
   * Returns the answer at {@code path}; null if the resource does not exist.
   *
   * @throws IOException if the request failed and may be retried
   * @throws UserException if it must not be retried
   */
  @Nullable JsonObject get(String path) throws IOException, InterruptedException {
    HttpResponse<String> response = send(HttpRequest.newBuilder(base.resolve(path)).GET());
    return response.statusCode() == 404
            && "RESOURCE_DOES_NOT_EXIST".equals(text(json(response), "error_code"))
        ? null
        : read(path, response);
  }

  private HttpResponse<String> send(HttpRequest.Builder request)
      throws IOException, InterruptedException {
    if (authorization != null) {
      request.header("Authorization", authorization);
    }
    return client.send(request.timeout(TIMEOUT).build(), BodyHandlers.ofString());
  }

  private JsonObject read(String path, HttpResponse<String> response) throws IOException {
    int status = response.statusCode();
    if (status == 408 || status == 429 || status >= 500) {
      throw new IOException(base + path + " answered " + status);
    }
    JsonObject json = json(response);
    if (status == 200) {
      return json;
    }
    String code = text(json, "error_code");
    if ("RESOURCE_ALREADY_EXISTS".equals(code)) {
      throw new IOException(base + path + ": created by another run");
    }
    String said = text(json, "message");
    throw refused(path + " answered " + status + ": " + (said == null ? response.body() : said));
  }

  private static JsonObject json(HttpResponse<String> response) {
    try {
      return JsonParser.parseString(response.body()) instanceof JsonObject json
          ? json
          : new JsonObject();
    } catch (JsonParseException e) {
      return new JsonObject();
    }
  }

  /** Returns the text {@code key} of {@code json}, or null. */
  static @Nullable String text(JsonObject json, String key) {
    JsonElement value = json.get(key);
    return value != null && value.isJsonPrimitive() ? value.getAsString() : null;
  }

  /** Returns the error of a request that must not be retried. */
  UserException refused(String problem) {
    String line = (base + problem).strip().replaceAll("\\s+", " ");
    return new UserException(
        line.length() > MAX_MESSAGE ? line.substring(0, MAX_MESSAGE) + "…" : line);
  }
}
