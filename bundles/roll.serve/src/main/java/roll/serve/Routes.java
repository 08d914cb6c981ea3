package roll.serve;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.Objects;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;
import roll.http.Exchange;
import roll.http.HttpService;
import roll.http.RequestBody;
import roll.openai.answer.ChatResponseFormat;
import roll.openai.answer.ResponseFormat;
import roll.openai.answer.ResponseWriter;
import roll.openai.answer.TextResponseFormat;
import roll.openai.request.ApiException;
import roll.openai.request.ChatRequest;
import roll.openai.request.CompletionRequest;
import roll.openai.request.GenerationSpec;
import roll.openai.request.PromptEncoder;
import roll.openai.request.RequestBodies;
import roll.openai.request.RequestFields;
import roll.runtime.serving.ClientLimits;
import roll.runtime.serving.ServedModel;

/** Routes requests to the endpoints of OpenAI's interface, with authorization and limits. */
final class Routes implements HttpService {
  private static final Gson GSON =
      new GsonBuilder().serializeNulls().disableHtmlEscaping().create();

  private final ServedModel model;
  private final byte @Nullable [] authorization;
  private final RequestLimits permits;
  private final PromptEncoder prompts;

  /** Permits to read and encode bodies, which needs many times their memory. */
  private final Semaphore reading = new Semaphore(Runtime.getRuntime().availableProcessors(), true);

  private final long created = Instant.now().getEpochSecond();

  /**
   * Creates the endpoints of {@code model}.
   *
   * @param key key that requests must carry, or null
   * @param limits limits for clients
   */
  Routes(ServedModel model, @Nullable String key, ClientLimits limits) {
    this.model = model;
    this.authorization = key == null ? null : ("Bearer " + key).getBytes(StandardCharsets.UTF_8);
    this.permits = new RequestLimits(limits);
    this.prompts = new PromptEncoder(model);
  }

  @Override
  public void answer(Exchange exchange) throws IOException, InterruptedException {
    try {
      route(exchange);
    } catch (ApiException e) {
      if (e.status() == 429) {
        exchange.answerHeader("Retry-After", "1");
      }
      send(exchange, e.status(), e.json());
    }
  }

  @Override
  public String refusal(int status, String message) {
    ApiException refusal =
        status >= 500 ? ApiException.failed() : ApiException.status(status, message, null);
    return GSON.toJson(refusal.json()) + "\n";
  }

  private void route(Exchange exchange) throws IOException, InterruptedException {
    String path = exchange.path();
    if (path.equals("/health")) {
      RequestBodies.method(exchange, "GET");
      send(exchange, 200, new JsonObject());
      return;
    }
    authorize(exchange);
    switch (path) {
      case "/v1/models" -> {
        RequestBodies.method(exchange, "GET");
        send(exchange, 200, models());
      }
      case "/v1/chat/completions", "/v1/completions" -> {
        RequestBodies.method(exchange, "POST");
        complete(exchange, path.startsWith("/v1/chat"));
      }
      default -> {
        if (!path.equals("/v1/models/" + model.name())) {
          throw ApiException.status(404, "Unknown request URL: " + path + ".", "unknown_url");
        }
        RequestBodies.method(exchange, "GET");
        send(exchange, 200, card());
      }
    }
  }

  /** Checks the Authorization header in constant time. */
  private void authorize(Exchange exchange) {
    if (authorization == null) {
      return;
    }
    String given = Objects.requireNonNullElse(exchange.header("Authorization"), "");
    if (!MessageDigest.isEqual(authorization, given.getBytes(StandardCharsets.UTF_8))) {
      throw ApiException.status(
          401,
          given.isEmpty()
              ? "You didn't provide an API key; it is expected as 'Authorization: Bearer KEY'."
              : "Incorrect API key provided.",
          "invalid_api_key");
    }
  }

  private void complete(Exchange exchange, boolean chat) throws IOException, InterruptedException {
    RequestBodies.requireJson(exchange);
    try (RequestBody body = exchange.body();
        RequestLimits.Permit _ = permits.take(exchange.client())) {
      GenerationSpec asked = asked(body, chat);
      ResponseFormat shape =
          chat
              ? new ChatResponseFormat(model.name(), asked.usage())
              : new TextResponseFormat(model.name(), asked.usage());
      new ResponseWriter(model.tokenizer(), model.generator(), asked, shape, exchange).send();
    }
  }

  private GenerationSpec asked(RequestBody body, boolean chat) throws InterruptedException {
    reading.acquire();
    try {
      String text = RequestBodies.text(body.bytes());
      RequestFields fields = chat ? ChatRequest.fields(text) : CompletionRequest.fields(text);
      checkModel(fields.text("model"));
      return chat
          ? ChatRequest.read(fields, model, prompts)
          : CompletionRequest.read(fields, model, prompts);
    } finally {
      reading.release();
      body.release();
    }
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

  private static void send(Exchange exchange, int status, JsonObject json) throws IOException {
    byte[] body = (GSON.toJson(json) + "\n").getBytes(StandardCharsets.UTF_8);
    exchange.send(status, "application/json", body);
  }
}
