package roll.rollout.program;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import roll.api.tool.ToolSchema;
import roll.api.tracking.SpanContext;
import roll.http.Exchange;
import roll.http.HttpService;
import roll.http.RequestBody;
import roll.openai.answer.JsonAnswer;
import roll.openai.dialect.Dialect;
import roll.openai.dialect.Dialects;
import roll.openai.request.ApiException;
import roll.openai.request.RequestBodies;
import roll.openai.request.RequestFields;
import roll.openai.request.RequestKey;
import roll.runtime.trace.Span;

/** Handles the requests of programs, each authorized by the key of its episode. */
final class EndpointRoutes implements HttpService {
  private static final Gson GSON =
      new GsonBuilder().serializeNulls().disableHtmlEscaping().create();
  private static final String POST = "POST";
  private static final String STATUS = "http.response.status_code";
  private static final String TOOLS = "/v1/tools";
  private static final Set<String> STOPS = Set.of("max_length", "max_steps");

  private final Map<String, AgentSession> open;
  private final Map<String, Boolean> over;
  private final Dialects dialects;

  /**
   * Creates a handler for the sessions in {@code open}, by key.
   *
   * @param over keys of ended sessions
   * @param dialects forms of conversations
   */
  EndpointRoutes(Map<String, AgentSession> open, Map<String, Boolean> over, Dialects dialects) {
    this.open = open;
    this.over = over;
    this.dialects = dialects;
  }

  @Override
  public void answer(Exchange exchange) throws IOException, InterruptedException {
    Dialect dialect = dialects.at(exchange.path());
    try {
      route(exchange, dialect);
    } catch (ApiException e) {
      JsonObject json = dialect == null ? e.json() : dialect.error(e);
      if (e.code() != null && STOPS.contains(e.code())) {
        json.addProperty("stop_reason", e.code()); // as in ROLL's proxy
      }
      new JsonAnswer(e.status(), json).send(exchange);
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
    AgentSession session = session(exchange);
    String path = exchange.path();
    if (dialect != null && dialect.paths().contains(path)) {
      read(exchange, session, dialect);
    } else if (dialect != null) {
      SessionModel model = new SessionModel(session, Span.none());
      dialect.stored(exchange.method(), path, exchange.query(), model).send(exchange);
    } else if (path.equals("/v1/models")) {
      RequestBodies.method(exchange, "GET");
      send(exchange, list(models(session)));
    } else if (path.equals(TOOLS)) {
      RequestBodies.method(exchange, "GET");
      send(exchange, list(tools(session)));
    } else if (path.startsWith(TOOLS + "/")) {
      String tool = path.substring(TOOLS.length() + 1);
      traced(exchange, session, TOOLS + "/{tool}", span -> call(exchange, session, tool, span));
    } else {
      throw ApiException.unknownPath(path);
    }
  }

  private static void read(Exchange exchange, AgentSession session, Dialect dialect)
      throws IOException, InterruptedException {
    String path = exchange.path();
    traced(
        exchange,
        session,
        path,
        span -> dialect.read(path, text(exchange), new SessionModel(session, span)).send(exchange));
  }

  /** Answers a request that has the span {@code span}. */
  private interface TracedAnswer {
    void send(Span span) throws IOException, InterruptedException;
  }

  /** Answers a POST within a span, a part of the program's own trace if it sends one. */
  private static void traced(
      Exchange exchange, AgentSession session, String route, TracedAnswer answer)
      throws IOException, InterruptedException {
    RequestBodies.method(exchange, POST);
    String header = exchange.header("traceparent");
    SpanContext parent = header == null ? null : SpanContext.parse(header);
    try (Span span = session.trace().episode().request(POST + " " + route, parent)) {
      span.set("http.request.method", POST)
          .set("http.route", route)
          .set("url.path", exchange.path())
          .set("url.scheme", "http");
      try {
        answer.send(span);
        span.set(STATUS, 200L);
      } catch (ApiException e) {
        span.set(STATUS, (long) e.status());
        if (e.status() >= 500) {
          span.fail(e);
        }
        throw e;
      } catch (IOException | InterruptedException | RuntimeException e) {
        span.fail(e);
        throw e;
      }
    }
  }

  private AgentSession session(Exchange exchange) {
    String key = RequestKey.of(exchange);
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

  private static String text(Exchange exchange) throws IOException {
    RequestBodies.requireJson(exchange);
    try (RequestBody body = RequestBodies.read(exchange)) {
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
  private static void call(Exchange exchange, AgentSession session, String tool, Span span)
      throws IOException, InterruptedException {
    RunTools tools = session.tools();
    if (tools == null) {
      throw ApiException.status(404, "This environment has no tools (agent.tools).", "no_tools");
    }
    Map<String, Object> arguments = new LinkedHashMap<>();
    RequestFields.object(text(exchange))
        .forEach((name, value) -> arguments.put(String.valueOf(name), value));
    JsonObject json = new JsonObject();
    json.addProperty("content", tools.call(tool, arguments, span));
    send(exchange, json);
  }

  private static JsonObject list(JsonElement data) {
    JsonObject json = new JsonObject();
    json.addProperty("object", "list");
    json.add("data", data);
    return json;
  }

  private static void send(Exchange exchange, JsonObject json) throws IOException {
    new JsonAnswer(200, json).send(exchange);
  }
}
