package roll.serve;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import roll.api.serving.ServedModel;

/** What may be asked, and of whom. */
final class Routes implements HttpHandler {
  private static final Logger LOG = LoggerFactory.getLogger("roll.serve");
  private static final int MOST_BYTES = 16 << 20;
  private static final Gson GSON =
      new GsonBuilder().serializeNulls().disableHtmlEscaping().create();

  private final ServedModel model;
  private final byte @Nullable [] authorization;
  private final int mostRequests;
  private final Semaphore free;
  private final long created = Instant.now().getEpochSecond();

  /**
   * Requests to {@code model}.
   *
   * @param key that they must carry, or null
   * @param mostRequests how many are worked on at once
   */
  Routes(ServedModel model, @Nullable String key, int mostRequests) {
    this.model = model;
    this.authorization = key == null ? null : ("Bearer " + key).getBytes(StandardCharsets.UTF_8);
    this.mostRequests = mostRequests;
    this.free = new Semaphore(mostRequests);
  }

  @Override
  public void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      try {
        answer(exchange);
      } catch (ApiException e) {
        if (e.status() == 429) {
          exchange.getResponseHeaders().set("Retry-After", "1");
        }
        send(exchange, e.status(), e.json());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt(); // the server is being closed
      } catch (RuntimeException e) {
        LOG.error("a request failed", e);
        send(exchange, 500, ApiException.failed().json());
      }
    }
  }

  private void answer(HttpExchange exchange) throws IOException, InterruptedException {
    String path = exchange.getRequestURI().getPath();
    if (path.equals("/health")) {
      method(exchange, "GET");
      send(exchange, 200, new JsonObject());
      return;
    }
    authorize(exchange);
    switch (path) {
      case "/v1/models" -> {
        method(exchange, "GET");
        send(exchange, 200, models());
      }
      case "/v1/chat/completions", "/v1/completions" -> {
        method(exchange, "POST");
        complete(exchange, path.startsWith("/v1/chat"));
      }
      default -> {
        if (!path.equals("/v1/models/" + model.name())) {
          throw ApiException.status(404, "Unknown request URL: " + path + ".", "unknown_url");
        }
        method(exchange, "GET");
        send(exchange, 200, card());
      }
    }
  }

  /** The whole header is compared, in a time that does not tell how much of it is right. */
  private void authorize(HttpExchange exchange) {
    if (authorization == null) {
      return;
    }
    String given =
        Objects.requireNonNullElse(exchange.getRequestHeaders().getFirst("Authorization"), "");
    if (!MessageDigest.isEqual(authorization, given.getBytes(StandardCharsets.UTF_8))) {
      throw ApiException.status(
          401,
          given.isEmpty()
              ? "You didn't provide an API key; it is expected as 'Authorization: Bearer KEY'."
              : "Incorrect API key provided.",
          "invalid_api_key");
    }
  }

  private static void method(HttpExchange exchange, String allowed) {
    if (!exchange.getRequestMethod().equals(allowed)) {
      exchange.getResponseHeaders().set("Allow", allowed);
      throw ApiException.status(
          405,
          "Not allowed to %s here, only to %s.".formatted(exchange.getRequestMethod(), allowed),
          "method_not_supported");
    }
  }

  private void complete(HttpExchange exchange, boolean chat)
      throws IOException, InterruptedException {
    if (!free.tryAcquire()) {
      throw ApiException.busy(mostRequests);
    }
    try {
      String body = body(exchange);
      Fields fields = chat ? ChatRequest.fields(body) : CompletionRequest.fields(body);
      checkModel(fields.text("model"));
      Asked asked = chat ? ChatRequest.read(fields, model) : CompletionRequest.read(fields, model);
      Shape shape =
          chat
              ? new ChatShape(model.name(), asked.usage())
              : new TextShape(model.name(), asked.usage());
      new Answer(model, asked, shape, exchange).send();
    } finally {
      free.release();
    }
  }

  /** A web page elsewhere can send text to this machine unasked, but not JSON. */
  private static String body(HttpExchange exchange) throws IOException {
    String type =
        Objects.requireNonNullElse(exchange.getRequestHeaders().getFirst("Content-Type"), "");
    if (!type.toLowerCase(Locale.ROOT).startsWith("application/json")) {
      throw ApiException.status(
          415, "Unsupported Content-Type: '" + type + "'; expected application/json.", null);
    }
    byte[] body = exchange.getRequestBody().readNBytes(MOST_BYTES + 1);
    if (body.length > MOST_BYTES) {
      throw ApiException.status(
          413, "The body of a request may have at most " + MOST_BYTES + " bytes.", null);
    }
    return new String(body, StandardCharsets.UTF_8);
  }

  private void checkModel(@Nullable String name) {
    if (name == null) {
      throw ApiException.wrong("model", "You must provide a model parameter.");
    }
    if (!name.equals(model.name())) {
      throw new ApiException(
          404,
          "invalid_request_error",
          "The model '%s' does not exist; this server has '%s'.".formatted(name, model.name()),
          "model",
          "model_not_found");
    }
  }

  private JsonObject models() {
    JsonArray data = new JsonArray();
    data.add(card());
    JsonObject json = new JsonObject();
    json.addProperty("object", "list");
    json.add("data", data);
    return json;
  }

  private JsonObject card() {
    JsonObject card = new JsonObject();
    card.addProperty("id", model.name());
    card.addProperty("object", "model");
    card.addProperty("created", created);
    card.addProperty("owned_by", "roll");
    card.addProperty("max_model_len", model.longest());
    return card;
  }

  private static void send(HttpExchange exchange, int status, JsonObject json) throws IOException {
    byte[] body = (GSON.toJson(json) + "\n").getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", "application/json");
    exchange.sendResponseHeaders(status, body.length);
    exchange.getResponseBody().write(body);
  }
}
