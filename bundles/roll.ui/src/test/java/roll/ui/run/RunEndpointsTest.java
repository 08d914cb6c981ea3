package roll.ui.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import roll.api.option.UserException;
import roll.http.HttpRefusal;
import roll.runtime.pipeline.RunStatus.State;
import roll.runtime.pipeline.TrainingRun;
import roll.ui.ManySteps;
import roll.ui.RunFolderMaker;
import roll.ui.RunMetrics;
import roll.ui.control.OrderRecordingRun;
import roll.ui.metric.MetricFiles;
import roll.ui.web.ApiAnswer;
import roll.ui.web.ApiRequest;
import roll.ui.web.Endpoint;
import roll.ui.web.JsonText;

class RunEndpointsTest {
  private static final int STEPS = 40;

  @TempDir Path root;

  private final List<TrainingRun> runs = new ArrayList<>();
  @AutoClose private final MetricFiles metrics = new MetricFiles();
  private Map<String, Endpoint> endpoints = Map.of();

  @BeforeEach
  void open() {
    RunFolders folders =
        new RunFolders(OrderRecordingRun.trainer(runs), List.of(root), Duration.ZERO);
    endpoints = new RunEndpoints(folders, metrics, new RunPlans(null, null)).endpoints();
  }

  private JsonObject get(String pattern, List<String> path, Map<String, String> query)
      throws Exception {
    ApiAnswer answer =
        Objects.requireNonNull(endpoints.get(pattern))
            .answer(new ApiRequest(path, query, new byte[0]));
    byte[] json = JsonText.of(assertInstanceOf(ApiAnswer.Json.class, answer).value());
    String text = new String(json, StandardCharsets.UTF_8);
    return JsonParser.parseString(text).getAsJsonObject();
  }

  private JsonArray list() throws Exception {
    return get("GET /api/runs", List.of(), Map.of()).getAsJsonArray("runs");
  }

  private String id(int index) throws Exception {
    return list().get(index).getAsJsonObject().get("id").getAsString();
  }

  @Test
  void a_finished_run_is_what_its_folder_says() throws Exception {
    RunFolderMaker.finished(root.resolve("lake"), STEPS);
    JsonObject run = list().get(0).getAsJsonObject();
    assertEquals("lake", run.get("name").getAsString());
    assertEquals("finished", run.get("state").getAsString());
    assertFalse(run.get("live").getAsBoolean());
    assertTrue(run.get("number").isJsonNull());
    assertEquals(STEPS, run.get("step").getAsInt());
    assertEquals(STEPS, run.get("maxSteps").getAsInt());
    assertTrue(run.get("waiting").isJsonNull());
    assertTrue(run.get("started").getAsLong() < run.get("ended").getAsLong());
    JsonObject headline = run.getAsJsonObject("headline");
    assertEquals(
        RunMetrics.of(STEPS - 1).get("rollout/score/mean"),
        headline.get("rollout/score/mean").getAsDouble());
    assertEquals(
        RunMetrics.of(30).get("val/score/mean"), headline.get("val/score/mean").getAsDouble());
    assertTrue(headline.has("actor/pg_loss") && headline.has("env/FrozenLake/success"));
    assertFalse(headline.has("critic/kl"));
  }

  @Test
  void a_run_of_this_process_says_how_it_is() throws Exception {
    RunFolderMaker.finished(root.resolve("old"), 2);
    RunFolderMaker.finished(root.resolve("lake"), 12);
    runs.add(OrderRecordingRun.of(4, root.resolve("lake"), State.RUNNING));
    assertEquals(2, list().size());
    JsonObject run = list().get(0).getAsJsonObject();
    assertTrue(run.get("live").getAsBoolean());
    assertEquals(4, run.get("number").getAsInt());
    assertEquals("running", run.get("state").getAsString());
    assertEquals(7, run.get("step").getAsInt());
    assertEquals(10, run.get("maxSteps").getAsInt());
    assertEquals("rollout", run.get("phase").getAsString());
    assertEquals(2, run.getAsJsonArray("served").size());
    assertEquals(OrderRecordingRun.STARTED.toEpochMilli(), run.get("started").getAsLong());
    JsonObject headline = run.getAsJsonObject("headline");
    assertEquals(0.5, headline.get("rollout/score/mean").getAsDouble(), "its status is newer");
    assertTrue(headline.has("val/score/mean"), "the last one, of its file");
    JsonArray notices =
        get("GET /api/runs/{id}", List.of(id(0)), Map.of()).getAsJsonArray("notices");
    assertEquals("notice: before the log", notices.get(0).getAsString());
  }

  @Test
  void one_run_has_all_that_belongs_to_it() throws Exception {
    RunFolderMaker made = RunFolderMaker.finished(root.resolve("lake"), STEPS);
    made.config("exp_name: lake\nmax_steps: 40\napi_key: abc\n").trajectories(30, "{}\n");
    Files.writeString(made.metrics(), Files.readString(made.metrics()) + "nonsense\n");
    JsonObject run = get("GET /api/runs/{id}", List.of(id(0)), Map.of());
    assertEquals("lake", run.get("name").getAsString());
    assertEquals("exp_name: lake\nmax_steps: 40\napi_key: …\n", run.get("config").getAsString());
    assertEquals("[0,30]", run.get("trajectories").toString());
    assertEquals(20, run.getAsJsonArray("swaps").get(0).getAsJsonObject().get("step").getAsInt());
    assertEquals(2, run.getAsJsonArray("served").size());
    List<String> names =
        run.getAsJsonArray("names").asList().stream().map(JsonElement::getAsString).toList();
    assertEquals(List.copyOf(RunMetrics.of(0).keySet()), names);
    JsonArray notices = run.getAsJsonArray("notices");
    assertEquals(
        "metrics.jsonl: 1 lines could not be read", notices.get(notices.size() - 1).getAsString());
    assertNull(run.get("plan"));
  }

  @Test
  void what_memory_has_no_room_for_is_said() throws Exception {
    RunFolderMaker run = RunFolderMaker.in(root.resolve("long")).config("seed: 1\n").log("begun");
    ManySteps.append(run.metrics(), 0, 2_000, 10);
    RunFolders folders =
        new RunFolders(OrderRecordingRun.trainer(runs), List.of(root), Duration.ZERO);
    try (MetricFiles few = new MetricFiles(100 << 10)) {
      endpoints = new RunEndpoints(folders, few, new RunPlans(null, null)).endpoints();
      JsonArray notices =
          get("GET /api/runs/{id}", List.of(id(0)), Map.of()).getAsJsonArray("notices");
      assertEquals(
          "metrics.jsonl: one of every 2 steps is shown; more do not fit in memory",
          notices.get(notices.size() - 1).getAsString());
    }
  }

  @Test
  void series_come_many_at_once_and_without_zeros_for_nothing() throws Exception {
    RunFolderMaker.finished(root.resolve("lake"), STEPS);
    JsonObject answer =
        get(
            "GET /api/runs/{id}/series",
            List.of(id(0)),
            Map.of("names", "critic/kl,val/score/mean,no/such", "from", "5", "to", "14"));
    assertEquals(STEPS - 1, answer.get("last").getAsInt());
    assertTrue(answer.get("complete").getAsBoolean());
    JsonObject series = answer.getAsJsonObject("series");
    JsonObject kl = series.getAsJsonObject("critic/kl");
    assertEquals("[5,6,7,8,9,10,11,12,13,14]", kl.get("step").toString());
    assertTrue(kl.getAsJsonArray("mean").get(1).isJsonNull(), "step 6 has no number");
    assertEquals(0.007, kl.getAsJsonArray("max").get(2).getAsDouble());
    assertEquals(12.0, kl.getAsJsonArray("seconds").get(0).getAsDouble());
    JsonObject val = series.getAsJsonObject("val/score/mean");
    assertEquals("[10]", val.get("step").toString());
    assertEquals("[]", series.getAsJsonObject("no/such").get("step").toString());
  }

  @Test
  void phases_have_time_and_memory_beside_what_was_expected() throws Exception {
    RunFolderMaker made = RunFolderMaker.finished(root.resolve("lake"), STEPS);
    JsonObject answer = phases(Map.of("from", "10", "to", "11"));
    assertEquals(2, answer.getAsJsonArray("steps").size());
    JsonObject step = answer.getAsJsonArray("steps").get(0).getAsJsonObject();
    assertEquals(10, step.get("step").getAsInt());
    assertEquals(2.0, step.get("seconds").getAsDouble());
    JsonArray phases = step.getAsJsonArray("phases");
    List<String> names =
        phases.asList().stream().map(p -> p.getAsJsonObject().get("name").getAsString()).toList();
    assertEquals(List.of("model_update", "val", "rollout", "train"), names);
    JsonObject rollout = phases.get(2).getAsJsonObject();
    assertEquals(0.25, rollout.get("start").getAsDouble());
    assertEquals(1.25, rollout.get("seconds").getAsDouble());
    assertEquals("{\"start\":812.0,\"end\":822.0}", rollout.get("memory").toString());
    assertEquals(
        "{\"cpu\":{\"held\":6.5,\"expected\":7.0,\"reserved\":null}}",
        rollout.get("devices").toString());
    assertEquals("{\"cpu\":{\"total\":0.5,\"tool\":0.375}}", step.get("idle").toString());
    assertEquals("[10,11]", answer.getAsJsonObject("tps").get("step").toString());
    assertEquals("[10100.0,10110.0]", answer.getAsJsonObject("tps").get("value").toString());

    made.steps(STEPS, 450);
    JsonArray last = phases(Map.of()).getAsJsonArray("steps");
    assertEquals(200, last.size());
    assertEquals(250, last.get(0).getAsJsonObject().get("step").getAsInt());
    made.cutBackTo(3);
    assertEquals(3, phases(Map.of()).getAsJsonArray("steps").size());
  }

  private JsonObject phases(Map<String, String> query) throws Exception {
    return get("GET /api/runs/{id}/phases", List.of(id(0)), query);
  }

  @Test
  void the_end_of_the_log_is_given() throws Exception {
    RunFolderMaker.finished(root.resolve("lake"), STEPS);
    JsonArray lines =
        get("GET /api/runs/{id}/log", List.of(id(0)), Map.of("lines", "2")).getAsJsonArray("lines");
    assertEquals(2, lines.size());
    assertTrue(lines.get(1).getAsString().endsWith("ended after step 40"), lines::toString);
  }

  @Test
  void what_is_asked_wrongly_is_refused_in_a_line() throws Exception {
    RunFolderMaker.finished(root.resolve("lake"), 2);
    List<String> id = List.of(id(0));
    String series = "GET /api/runs/{id}/series";
    String refusal =
        assertThrows(UserException.class, () -> get(series, id, Map.of())).getMessage();
    assertEquals("names: expected 1 to 64 metrics, separated by commas, found 0", refusal);
    Map<String, String> many = Map.of("names", "a", "points", "1000000");
    assertThrows(UserException.class, () -> get(series, id, many));
    Map<String, String> before = Map.of("names", "a", "from", "-1");
    assertThrows(UserException.class, () -> get(series, id, before));
    HttpRefusal unknown =
        assertThrows(HttpRefusal.class, () -> get(series, List.of("nothing"), many));
    assertEquals(404, unknown.status());
  }
}
