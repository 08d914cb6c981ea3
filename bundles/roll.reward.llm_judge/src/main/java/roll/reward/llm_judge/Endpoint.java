package roll.reward.llm_judge;

import com.google.gson.JsonArray;
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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import roll.api.config.UserException;

/**
 * Where a model answers in the form of OpenAI's chat completions. What may go away by itself (no
 * connection, no answer in time, 408, 429, 5xx) is tried again after a delay that doubles each
 * time; everything else, and the last try, is a complaint of one line, never with the key.
 */
final class Endpoint implements AutoCloseable {
  private static final long MOST_BYTES = 16L << 20;
  private static final int MOST_SHOWN = 300;
  private static final Duration LONGEST = Duration.ofMinutes(10);

  private final URI address;
  private final @Nullable String key;
  private final Asking asking;
  private final Limits limits;
  private final HttpClient client;

  /**
   * How it is asked.
   *
   * @param model the endpoint's name of it
   * @param tokens most of an answer
   */
  record Asking(String model, double temperature, int tokens) {}

  /**
   * How patient one is.
   *
   * @param timeout for a whole answer
   * @param retries after the first try
   * @param delay before the first of them
   */
  record Limits(Duration timeout, int retries, Duration delay) {}

  /** What came of a try: an answer, or a problem that may pass. */
  private record Try(@Nullable String answer, String problem) {}

  /**
   * The endpoint at {@code address}.
   *
   * @param key sent as a bearer token, or null
   */
  Endpoint(URI address, @Nullable String key, Asking asking, Limits limits) {
    this.address = address;
    this.key = key;
    this.asking = asking;
    this.limits = limits;
    client =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(limits.timeout())
            .build();
  }

  /**
   * What the model answers to {@code prompt}.
   *
   * @throws UserException if there is no answer
   */
  String ask(String prompt) throws InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(address)
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(body(prompt).toString()));
    if (key != null) {
      request.header("Authorization", "Bearer " + key);
    }
    Duration delay = limits.delay();
    for (int tries = 1; ; tries++) {
      Try outcome = attempt(request.build());
      if (outcome.answer() != null) {
        return outcome.answer();
      }
      if (tries > limits.retries()) {
        throw complaint(outcome.problem() + (tries == 1 ? "" : ", " + tries + " times"));
      }
      Thread.sleep(delay);
      Duration doubled = delay.multipliedBy(2);
      delay = doubled.compareTo(LONGEST) < 0 ? doubled : LONGEST;
    }
  }

  private JsonObject body(String prompt) {
    JsonObject message = new JsonObject();
    message.addProperty("role", "user");
    message.addProperty("content", prompt);
    JsonArray messages = new JsonArray();
    messages.add(message);
    JsonObject body = new JsonObject();
    body.addProperty("model", asking.model());
    body.add("messages", messages);
    body.addProperty("temperature", asking.temperature());
    body.addProperty("max_tokens", asking.tokens());
    return body;
  }

  /** One request; what is not worth another try is thrown. */
  private Try attempt(HttpRequest request) throws InterruptedException {
    CompletableFuture<HttpResponse<String>> pending =
        client.sendAsync(request, BodyHandlers.limiting(BodyHandlers.ofString(), MOST_BYTES));
    try {
      HttpResponse<String> response = pending.get(limits.timeout().toNanos(), TimeUnit.NANOSECONDS);
      int status = response.statusCode();
      if (status == 200) {
        return new Try(content(response.body()), "");
      }
      String problem = "answered " + status + ": " + shown(response.body());
      if (status != 408 && status != 429 && status < 500) {
        throw complaint(problem);
      }
      return new Try(null, problem);
    } catch (TimeoutException e) {
      return new Try(null, "gave no answer in time");
    } catch (ExecutionException e) {
      Throwable cause = e.getCause();
      if (cause instanceof IOException) {
        return new Try(null, "could not be asked (" + cause.getClass().getSimpleName() + ")");
      }
      throw new IllegalStateException(cause);
    } finally {
      pending.cancel(true);
    }
  }

  /** The text of the first choice; empty where the model wrote none. */
  private String content(String body) {
    try {
      if (JsonParser.parseString(body) instanceof JsonObject answer
          && answer.get("choices") instanceof JsonArray choices
          && !choices.isEmpty()
          && choices.get(0) instanceof JsonObject choice
          && choice.get("message") instanceof JsonObject message) {
        JsonElement content = message.get("content");
        if (content == null || content.isJsonNull()) {
          return "";
        }
        if (content.isJsonPrimitive()) {
          return content.getAsString();
        }
      }
    } catch (JsonParseException e) {
      // said below
    }
    throw complaint("answered no chat completion: " + shown(body));
  }

  private static String shown(String text) {
    String line = text.strip().replaceAll("\\s+", " ");
    return line.length() > MOST_SHOWN ? line.substring(0, MOST_SHOWN) + "…" : line;
  }

  private UserException complaint(String what) {
    String line = "the reward llm_judge: " + address + " " + what;
    return new UserException(key == null ? line : line.replace(key, "…"));
  }

  @Override
  public void close() {
    client.shutdownNow();
  }
}
