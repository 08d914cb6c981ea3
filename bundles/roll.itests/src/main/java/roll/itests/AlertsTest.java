package roll.itests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Programs that a training run alerts. */
@Tag("framework")
@Timeout(120)
class AlertsTest {
  @Test
  void programsAreAlertedAndAHangingOneStopsNothing(@TempDir Path folder) throws Exception {
    Path said = folder.resolve("said");
    String program = "run: [/bin/sh, -c, 'cat >>\"$0\"', '" + said + "']";
    String rules =
        "{low: {when: 'val/score/mean < 2', %s}, end: {when: finished, %s},"
                .formatted(program, program)
            + " never: {when: 'val/score/mean > 2', for: 3, run: [/bin/false]},"
            + " stuck: {when: 'system/step >= 0', run: [/bin/sleep, '600']}}";
    List<String> keys =
        List.of(
            "exp_name=alerts",
            "max_steps=2",
            "save_steps=2",
            "eval_steps=1",
            "track_with=[jsonl, alerts]",
            "tracker_kwargs={alerts: {timeout: 1, rules: " + rules + "}}");
    Path run = SmallRuns.finish(SmallRuns.start("frozen_lake.yaml", folder, keys));
    assertTrue(Files.exists(run.resolve("checkpoint-2")));
    List<JsonObject> alerts = new ArrayList<>();
    for (String line : Files.readAllLines(said)) {
      alerts.add(JsonParser.parseString(line).getAsJsonObject());
    }
    assertEquals(List.of("low", "end"), alerts.stream().map(a -> text(a, "alert")).toList());
    assertEquals(0, alerts.getFirst().get("step").getAsInt());
    assertEquals(2, alerts.getLast().get("step").getAsInt());
    assertEquals("alerts: end: finished, step 2", text(alerts.getLast(), "text"));
    assertEquals(run.toString(), text(alerts.getLast(), "folder"));
  }

  private static String text(JsonObject alert, String key) {
    return alert.get(key).getAsString();
  }
}
