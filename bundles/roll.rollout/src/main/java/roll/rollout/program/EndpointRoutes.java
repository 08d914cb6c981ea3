package roll.rollout.program;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import roll.api.tool.ToolSchema;
import roll.http.Exchange;
import roll.http.HttpService;
import roll.http.RequestBody;
import roll.openai.answer.ChatResponseFormat;
import roll.openai.answer.ResponseWriter;
import roll.openai.request.ApiException;
import roll.openai.request.ChatMessages;
import roll.openai.request.ChatRequest;
import roll.openai.request.GenerationSpec;
import roll.openai.request.RequestBodies;
import roll.openai.request.RequestFields;
import roll.runtime.serving.PictureSettings;

/** Handles the requests of programs, each authorized by the key of its episode. */
final class EndpointRoutes implements HttpService {
  private static final Gson GSON =
      new GsonBuilder().serializeNulls().disableHtmlEscaping().create();
  private static final String BEARER = "Bearer ";
  private static final String TOOLS = "/v1/tools";
  private static final Set<String> STOPS = Set.of("max_length", "max_steps");

  private final Map<String, AgentSession> open;
  private final Map<String, Boolean> over;

  /**
   * Creates a handler for the sessions in {@code open}, by key.
   *
   * @param over keys of ended sessions
   */
  EndpointRoutes(Map<String, AgentSession> open, Map<String, Boolean> over) {
    this.open = open;
    this.over = over;
  }

  @Override
  public void answer(Exchange exchange) throws IOException, InterruptedException {
    try {
      route(exchange);
    } catch (ApiException e) {
      JsonObject json = e.json();
      JsonElement code = json.getAsJsonObject("error").get("code");
      if (code.isJsonPrimitive() && STOPS.contains(code.getAsString())) {
        json.add("stop_reason", code); // as in ROLL's proxy
      }
      send(exchange, e.status(), json);
    }
  }

  @Override
  public String refusal(int status, String message) {
    ApiException refusal =
        status >= 500 ? ApiException.failed() : ApiException.status(status, message, null);
    return GSON.toJson(refusal.json()) + "\n";
  }

  private void route(Exchange exchange) throws IOException, InterruptedException {
    AgentSession session = session(exchange);
    String path = exchange.path();
    if (path.equals("/v1/chat/completions")) {
      chat(exchange, session);
    } else if (path.equals("/v1/models")) {
      RequestBodies.method(exchange, "GET");
      send(exchange, 200, list(models(session)));
    } else if (path.equals(TOOLS)) {
      RequestBodies.method(exchange, "GET");
      send(exchange, 200, list(tools(session)));
    } else if (path.startsWith(TOOLS + "/")) {
      call(exchange, session, path.substring(TOOLS.length() + 1));
    } else {
      throw ApiException.status(404, "Unknown request URL: " + path + ".", "unknown_url");
    }
  }

  private AgentSession session(Exchange exchange) {
    String given = Objects.requireNonNullElse(exchange.header("Authorization"), "");
    String key = given.startsWith(BEARER) ? given.substring(BEARER.length()).strip() : "";
    AgentSession session = open.get(key);
    if (session != null) {
      return session;
    }
    if (over.containsKey(key)) {
      throw AgentSession.over();
    }
    throw ApiException.status(
        401,
        "The key of an episode, OPENAI_API_KEY, is expected as 'Authorization: Bearer KEY'.",
        "invalid_api_key");
  }

  private static void chat(Exchange exchange, AgentSession session)
      throws IOException, InterruptedException {
    RequestFields fields = ChatRequest.fields(text(exchange));
    ChatRequest.endsAsInRun(fields);
    ChatMessages said =
        ChatRequest.said(fields, session.model().sequenceLength(), PictureSettings.NONE);
    CapturedCompletion.Request request = session.ask(said, ChatRequest.variables(fields));
    GenerationSpec spec =
        ChatRequest.spec(
            fields,
            said,
            request.tokens(),
            session.model().chat().stops(),
            session.model().sequenceLength(),
            true);
    new ResponseWriter(
            session.model().tokenizer(),
            requests -> session.answer(request, spec),
            spec,
            new ChatResponseFormat(AgentTask.MODEL, spec.usage()),
            exchange)
        .send();
  }

  private static String text(Exchange exchange) throws IOException {
    RequestBodies.method(exchange, "POST");
    RequestBodies.requireJson(exchange);
    try (RequestBody body = exchange.body()) {
      return RequestBodies.text(body.bytes());
    }
  }

  private static JsonArray models(AgentSession session) {
    JsonObject card = new JsonObject();
    card.addProperty("id", AgentTask.MODEL);
    card.addProperty("object", "model");
    card.addProperty("owned_by", "roll");
    card.addProperty("max_model_len", session.model().sequenceLength());
    JsonArray data = new JsonArray();
    data.add(card);
    return data;
  }

  private static JsonElement tools(AgentSession session) {
    RunTools tools = session.tools();
    List<ToolSchema> schemas = tools == null ? List.of() : tools.schemas();
    return GSON.toJsonTree(schemas.stream().map(ToolSchema::listed).toList());
  }

  /** Executes a tool call and sends its result. */
  private static void call(Exchange exchange, AgentSession session, String tool)
      throws IOException, InterruptedException {
    RunTools tools = session.tools();
    if (tools == null) {
      throw ApiException.status(404, "This environment has no tools (agent.tools).", "no_tools");
    }
    Map<String, Object> arguments = new LinkedHashMap<>();
    RequestFields.object(text(exchange))
        .forEach((name, value) -> arguments.put(String.valueOf(name), value));
    JsonObject json = new JsonObject();
    json.addProperty("content", tools.call(tool, arguments));
    send(exchange, 200, json);
  }

  private static JsonObject list(JsonElement data) {
    JsonObject json = new JsonObject();
    json.addProperty("object", "list");
    json.add("data", data);
    return json;
  }

  private static void send(Exchange exchange, int status, JsonObject json) throws IOException {
    byte[] body = (GSON.toJson(json) + "\n").getBytes(StandardCharsets.UTF_8);
    exchange.send(status, "application/json", body);
  }
}
