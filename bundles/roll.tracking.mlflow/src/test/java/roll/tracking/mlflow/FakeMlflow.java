package roll.tracking.mlflow;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import roll.testkit.TestHttpServer;

/** A server that takes what MLflow's REST interface takes and nothing else. */
final class FakeMlflow implements AutoCloseable {
  private static final String BASE = "/api/2.0/mlflow/";

  /** Ids of the experiments, by name. */
  final Map<String, String> experiments = new TreeMap<>();

  final Map<String, JsonObject> runs = new TreeMap<>();
  final Map<String, List<JsonObject>> metrics = new TreeMap<>();
  final Map<String, Map<String, String>> parameters = new TreeMap<>();
  final List<String> states = new ArrayList<>();
  final List<Integer> batches = new ArrayList<>();

  /** The number of requests are answered with 503. */
  int failures;

  private final TestHttpServer endpoint = new TestHttpServer("/", "");

  FakeMlflow() throws IOException {
    endpoint.answers(this::handle);
  }

  String address() {
    return endpoint.address();
  }

  /** The headers that say who sent the requests. */
  List<String> senders() {
    return endpoint.headers("Authorization");
  }

  /** An answer that is no success. */
  private static final class Refused extends Exception {
    private static final long serialVersionUID = 1L;
    private final int status;

    Refused(int status, String code) {
      super(code);
      this.status = status;
    }
  }

  private synchronized void handle(HttpExchange exchange, int number) throws IOException {
    int status = 200;
    JsonObject answer = new JsonObject();
    try {
      if (failures > 0) {
        failures--;
        throw new Refused(503, "TEMPORARILY_UNAVAILABLE");
      }
      String path = exchange.getRequestURI().getPath().replaceFirst("^" + BASE, "");
      answer = answer(exchange, path, endpoint.bodies().get(number - 1));
    } catch (Refused e) {
      status = e.status;
      answer.addProperty("error_code", e.getMessage());
      answer.addProperty("message", "no");
    }
    TestHttpServer.answer(exchange, status, answer.toString());
  }

  private JsonObject answer(HttpExchange exchange, String path, String body) throws Refused {
    if (path.equals("experiments/get-by-name") && exchange.getRequestMethod().equals("GET")) {
      String query = exchange.getRequestURI().getQuery();
      String id = experiments.get(query.substring("experiment_name=".length()).replace('+', ' '));
      if (id == null) {
        throw new Refused(404, "RESOURCE_DOES_NOT_EXIST");
      }
      return json("{\"experiment\":{\"experiment_id\":\"" + id + "\"}}");
    }
    if (!exchange.getRequestMethod().equals("POST")) {
      throw new Refused(405, "METHOD");
    }
    JsonObject given = json(body);
    return switch (path) {
      case "experiments/create" -> {
        experiments.put(given.get("name").getAsString(), "" + (experiments.size() + 1));
        yield json("{\"experiment_id\":\"" + experiments.size() + "\"}");
      }
      case "runs/create" -> {
        String id = "run" + runs.size();
        runs.put(id, given);
        yield json("{\"run\":{\"info\":{\"run_id\":\"" + id + "\",\"status\":\"RUNNING\"}}}");
      }
      case "runs/update" -> {
        states.add(run(given) + " " + given.get("status").getAsString());
        yield new JsonObject();
      }
      case "runs/log-batch" -> {
        batch(run(given), given);
        yield new JsonObject();
      }
      default -> throw new Refused(404, "ENDPOINT_NOT_FOUND");
    };
  }

  private String run(JsonObject given) throws Refused {
    String id = given.get("run_id").getAsString();
    if (!runs.containsKey(id)) {
      throw new Refused(404, "RESOURCE_DOES_NOT_EXIST");
    }
    return id;
  }

  private void batch(String id, JsonObject given) throws Refused {
    JsonArray values = array(given, "metrics");
    JsonArray settings = array(given, "params");
    batches.add(values.size());
    if (values.size() > 1000 || settings.size() > 100) {
      throw new Refused(400, "INVALID_PARAMETER_VALUE");
    }
    for (var value : values) {
      JsonObject metric = value.getAsJsonObject();
      if (!metric.get("key").getAsString().matches("[\\w\\-. ]+(/[\\w\\-. ]+)*")) {
        throw new Refused(400, "INVALID_PARAMETER_VALUE");
      }
      metrics.computeIfAbsent(id, key -> new ArrayList<>()).add(metric);
    }
    for (var setting : settings) {
      JsonObject entry = setting.getAsJsonObject();
      String key = entry.get("key").getAsString();
      String value = entry.get("value").getAsString();
      Map<String, String> known = parameters.computeIfAbsent(id, run -> new LinkedHashMap<>());
      if (!known.getOrDefault(key, value).equals(value)) {
        throw new Refused(400, "INVALID_PARAMETER_VALUE");
      }
      known.put(key, value);
    }
  }

  private static JsonArray array(JsonObject given, String key) {
    @Nullable JsonArray array = given.getAsJsonArray(key);
    return array == null ? new JsonArray() : array;
  }

  private static JsonObject json(String text) {
    return JsonParser.parseString(text).getAsJsonObject();
  }

  @Override
  public void close() {
    endpoint.close();
  }
}
