package roll.tracking.wandb;

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
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import roll.api.option.UserException;

/** A client of wandb's API. */
final class WandbServer {
  private static final Duration TIMEOUT = Duration.ofSeconds(20);
  private static final int MAX_MESSAGE = 300;

  private final URI base;
  private final String key;
  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(TIMEOUT).build();

  /**
   * Creates the client of a wandb server.
   *
   * @param base its address, with a slash at the end
   * @param key sent as the password of the user {@code api}
   */
  WandbServer(URI base, String key) {
    this.base = base;
    this.key = key;
  }

  /**
   * Posts {@code body} to {@code path} of the wandb server.
   *
   * @return the answer; an empty object if it is not one
   * @throws IOException if the request failed and may be retried
   * @throws UserException if it must not be retried
   */
  JsonObject post(String path, JsonObject body) throws IOException, InterruptedException {
    String user =
        Base64.getEncoder().encodeToString(("api:" + key).getBytes(StandardCharsets.UTF_8));
    HttpRequest request =
        HttpRequest.newBuilder(base.resolve(path))
            .timeout(TIMEOUT)
            .header("Authorization", "Basic " + user)
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(body.toString()))
            .build();
    HttpResponse<String> response = client.send(request, BodyHandlers.ofString());
    int status = response.statusCode();
    if (status == 408 || status == 409 || status == 429 || status >= 500) {
      throw new IOException(base + " answered " + status);
    }
    if (status != 200) {
      throw refused(" answered " + status + ": " + response.body());
    }
    try {
      return JsonParser.parseString(response.body()) instanceof JsonObject json
          ? json
          : new JsonObject();
    } catch (JsonParseException e) {
      throw refused(" answered no JSON: " + response.body());
    }
  }

  /** Returns the error of a request that must not be retried, without the key. */
  UserException refused(String problem) {
    String line = (base + problem).replace(key, "…").strip().replaceAll("\\s+", " ");
    return new UserException(
        line.length() > MAX_MESSAGE ? line.substring(0, MAX_MESSAGE) + "…" : line);
  }
}
