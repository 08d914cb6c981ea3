package roll.serve;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;
import roll.http.Exchange;
import roll.http.HttpService;
import roll.http.RequestBody;
import roll.openai.answer.Answer;
import roll.openai.answer.JsonAnswer;
import roll.openai.answer.ResponseWriter;
import roll.openai.answer.TextResponseFormat;
import roll.openai.dialect.Dialect;
import roll.openai.dialect.Dialects;
import roll.openai.dialect.ServedChatModel;
import roll.openai.request.ApiException;
import roll.openai.request.CompletionRequest;
import roll.openai.request.GenerationSpec;
import roll.openai.request.PromptEncoder;
import roll.openai.request.RequestBodies;
import roll.openai.request.RequestFields;
import roll.openai.request.RequestKey;
import roll.openai.request.SamplingParams;
import roll.runtime.serving.ClientLimits;
import roll.runtime.serving.ServedModel;

/** Routes requests to dialects, text completions and lists, with authorization and limits. */
final class Routes implements HttpService {
  private final ServedModel model;
  private final byte @Nullable [] key;
  private final RequestLimits permits;
  private final PromptEncoder prompts;
  private final ServedChatModel chat;
  private final Dialects dialects;

  /** Permits to read and encode bodies, which needs many times their memory. */
  private final Semaphore readers = new Semaphore(Runtime.getRuntime().availableProcessors(), true);

  private final long created = Instant.now().getEpochSecond();

  /**
   * Creates the endpoints of {@code model}.
   *
   * @param key key that requests must carry, or null
   * @param limits limits for clients
   * @param dialects forms of conversations
   */
  Routes(ServedModel model, @Nullable String key, ClientLimits limits, Dialects dialects) {
    this.model = model;
    this.key = key == null ? null : key.getBytes(StandardCharsets.UTF_8);
    this.permits = new RequestLimits(limits);
    this.prompts = new PromptEncoder(model);
    this.chat = new ServedChatModel(model, prompts);
    this.dialects = dialects;
  }

  @Override
  public void answer(Exchange exchange) throws IOException, InterruptedException {
    Dialect dialect = dialects.at(exchange.path());
    try {
      route(exchange, dialect);
    } catch (ApiException e) {
      if (e.status() == 429) {
        exchange.answerHeader("Retry-After", "1");
      }
      JsonObject error = dialect == null ? e.json() : dialect.error(e);
      new JsonAnswer(e.status(), error).send(exchange);
    }
  }

  @Override
  public String refusal(int status, String message) {
    ApiException refusal =
        status >= 500 ? ApiException.failed() : ApiException.status(status, message, null);
    return JsonAnswer.text(refusal.json());
  }

  private void route(Exchange exchange, @Nullable Dialect dialect)
      throws IOException, InterruptedException {
    String path = exchange.path();
    if (path.equals("/health")) {
      RequestBodies.method(exchange, "GET");
      send(exchange, new JsonObject());
      return;
    }
    authorize(exchange);
    if (dialect != null && !dialect.paths().contains(path)) {
      dialect.stored(exchange.method(), path, exchange.query(), chat).send(exchange);
    } else if (dialect != null) {
      complete(exchange, text -> dialect.read(path, text, chat));
    } else if (path.equals("/v1/completions")) {
      complete(exchange, this::completion);
    } else if (path.equals("/v1/models")) {
      RequestBodies.method(exchange, "GET");
      send(exchange, models());
    } else if (path.equals("/v1/models/" + model.name())) {
      RequestBodies.method(exchange, "GET");
      send(exchange, card());
    } else {
      throw ApiException.unknownPath(path);
    }
  }

  /** Checks the key in constant time. */
  private void authorize(Exchange exchange) {
    if (key == null) {
      return;
    }
    String given = RequestKey.of(exchange);
    if (!MessageDigest.isEqual(key, given.getBytes(StandardCharsets.UTF_8))) {
      throw ApiException.status(
          401,
          given.isEmpty()
              ? "You didn't provide an API key; it is expected as 'Authorization: Bearer KEY'."
              : "Incorrect API key provided.",
          "invalid_api_key");
    }
  }

  /** Reads the text of a request. */
  private interface Reading {
    Answer read(String text) throws InterruptedException;
  }

  private void complete(Exchange exchange, Reading reading)
      throws IOException, InterruptedException {
    RequestBodies.method(exchange, "POST");
    RequestBodies.requireJson(exchange);
    try (RequestBody body = RequestBodies.read(exchange);
        RequestLimits.Permit _ = permits.take(exchange.client())) {
      answer(body, reading).send(exchange);
    }
  }

  private Answer answer(RequestBody body, Reading reading) throws InterruptedException {
    readers.acquire();
    try {
      return reading.read(RequestBodies.text(body.bytes()));
    } finally {
      readers.release();
      body.release();
    }
  }

  private Answer completion(String text) throws InterruptedException {
    RequestFields fields = CompletionRequest.fields(text);
    chat.check(fields.text("model"));
    GenerationSpec asked = CompletionRequest.read(fields, model, prompts);
    TextResponseFormat format = new TextResponseFormat(model.name(), SamplingParams.usage(fields));
    return new ResponseWriter(model.tokenizer(), model.generator(), asked, format);
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

  private static void send(Exchange exchange, JsonObject json) throws IOException {
    new JsonAnswer(200, json).send(exchange);
  }
}
