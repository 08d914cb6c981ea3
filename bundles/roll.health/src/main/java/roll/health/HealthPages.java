package roll.health;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import roll.runtime.pipeline.RunStatus;
import roll.runtime.pipeline.RunStatus.State;
import roll.runtime.pipeline.TrainingRun;

/**
 * The pages {@code /health}, {@code /progress} and {@code /metrics}.
 *
 * @param problems bundles that should be active and are not
 * @param runs of this system, oldest first
 */
record HealthPages(Supplier<List<String>> problems, Supplier<List<TrainingRun>> runs) {
  private static final Gson GSON =
      new GsonBuilder().setPrettyPrinting().serializeNulls().disableHtmlEscaping().create();

  private static final String SECONDS = "time/step_total";

  /** A health page with its content type. */
  record Page(int status, String type, String text) {}

  /** Returns the page at {@code path}, or null. */
  @Nullable Page at(String path) {
    return switch (path) {
      case "/health" -> health();
      case "/progress" -> json(200, progress());
      case "/metrics" -> new Page(200, "text/plain; version=0.0.4; charset=utf-8", prometheus());
      default -> null;
    };
  }

  private static Page json(int status, JsonObject json) {
    return new Page(status, "application/json", GSON.toJson(json) + "\n");
  }

  /** Returns the answer to a refused request. */
  static String refusal(String message) {
    JsonObject json = new JsonObject();
    json.addProperty("error", message);
    return GSON.toJson(json) + "\n";
  }

  /** Returns 200, or 503 if a bundle is not active or the run started last has failed. */
  private Page health() {
    List<String> inactive = problems.get();
    List<TrainingRun> all = runs.get();
    List<TrainingRun> failed =
        all.stream().filter(run -> run.status().state() == State.FAILED).toList();
    boolean well = inactive.isEmpty() && (all.isEmpty() || !failed.contains(all.getLast()));
    JsonObject json = new JsonObject();
    json.addProperty("status", well ? "up" : "down");
    JsonArray bundles = new JsonArray();
    inactive.forEach(bundles::add);
    json.add("bundles_not_active", bundles);
    json.addProperty(
        "runs_active", all.stream().filter(run -> run.status().state().active()).count());
    JsonArray failures = new JsonArray();
    for (TrainingRun run : failed) {
      failures.add(run.number() + " " + run.name() + ": " + run.status().waiting());
    }
    json.add("runs_failed", failures);
    return json(well ? 200 : 503, json);
  }

  private JsonObject progress() {
    JsonArray all = new JsonArray();
    for (TrainingRun run : runs.get()) {
      RunStatus status = run.status();
      JsonObject json = new JsonObject();
      json.addProperty("number", run.number());
      json.addProperty("name", run.name());
      json.addProperty("folder", run.folder().toString());
      json.addProperty("state", word(status.state()));
      json.addProperty("step", status.step());
      json.addProperty("max_steps", status.maxSteps());
      json.addProperty("phase", status.phase());
      json.addProperty("waiting", status.waiting());
      json.addProperty("served", status.served());
      json.addProperty("started", status.started().toString());
      json.addProperty("ended", status.ended() == null ? null : status.ended().toString());
      json.add("eta_seconds", number(eta(status)));
      JsonObject metrics = new JsonObject();
      new TreeMap<>(status.metrics()).forEach((name, value) -> metrics.add(name, number(value)));
      json.add("metrics", metrics);
      all.add(json);
    }
    JsonObject json = new JsonObject();
    json.add("runs", all);
    return json;
  }

  private static String word(State state) {
    return state.name().toLowerCase(Locale.ROOT);
  }

  /**
   * Returns the seconds until the last step, if all take as long as the last one; NaN if unknown.
   */
  private static double eta(RunStatus status) {
    double step = status.metrics().getOrDefault(SECONDS, Double.NaN);
    return status.state().active() ? step * (status.maxSteps() - status.step()) : Double.NaN;
  }

  /** Returns null for numbers that JSON does not have. */
  private static JsonElement number(double value) {
    return Double.isFinite(value) ? new JsonPrimitive(value) : JsonNull.INSTANCE;
  }

  /** Returns the text format 0.0.4 of Prometheus; the metrics of a run are one family, by name. */
  private String prometheus() {
    StringBuilder text = new StringBuilder();
    family(text, "roll_bundles_not_active", "Bundles that should be active and are not.");
    text.append("roll_bundles_not_active ").append(problems.get().size()).append('\n');
    List<TrainingRun> all = runs.get();
    family(text, "roll_run_active", "Whether a run is active.");
    all.forEach(
        run -> sample(text, "active", run, Map.of(), run.status().state().active() ? 1 : 0));
    family(text, "roll_run_failed", "Whether a run has failed.");
    all.forEach(
        run -> sample(text, "failed", run, Map.of(), run.status().state() == State.FAILED ? 1 : 0));
    family(text, "roll_run_step", "Complete steps.");
    all.forEach(run -> sample(text, "step", run, Map.of(), run.status().step()));
    family(text, "roll_run_max_steps", "Number of steps.");
    all.forEach(run -> sample(text, "max_steps", run, Map.of(), run.status().maxSteps()));
    family(text, "roll_run_metric", "Metrics of the last complete step.");
    for (TrainingRun run : all) {
      new TreeMap<>(run.status().metrics())
          .forEach((name, value) -> sample(text, "metric", run, Map.of("metric", name), value));
    }
    return text.toString();
  }

  private static void family(StringBuilder text, String name, String help) {
    text.append("# HELP ").append(name).append(' ').append(help).append('\n');
    text.append("# TYPE ").append(name).append(" gauge\n");
  }

  private static void sample(
      StringBuilder text, String name, TrainingRun run, Map<String, String> more, double value) {
    text.append("roll_run_").append(name);
    text.append("{run=\"").append(run.number());
    text.append("\",name=\"").append(escaped(run.name())).append('"');
    more.forEach((label, is) -> text.append(",%s=\"%s\"".formatted(label, escaped(is))));
    text.append("} ");
    text.append(
        value == Double.POSITIVE_INFINITY
            ? "+Inf"
            : value == Double.NEGATIVE_INFINITY ? "-Inf" : Double.toString(value));
    text.append('\n');
  }

  private static String escaped(String label) {
    return label.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
  }
}
