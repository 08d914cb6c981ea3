package roll.core.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import roll.runtime.config.LoadedConfig;
import roll.runtime.pipeline.RunEstimates.Measured;
import roll.testkit.ExampleRunConfigs;

/** Durations of steps come from measurements only. */
class MeasuredStepsTest {
  private static final String CONFIG =
      """
      exp_name: small
      max_steps: 3
      actor_train:
        training_args:
          learning_rate: 0.1
      rollout_batch_size: 12
      """;

  @TempDir Path folder;
  private Path metrics;

  @BeforeEach
  void aRunWasHere() throws Exception {
    metrics = folder.resolve("metrics.jsonl");
    Files.writeString(folder.resolve("config.yaml"), CONFIG);
    Files.writeString(
        metrics,
        """
        {"step":0,"metrics":{"time/step_total":2.0}}
        {"step":1,"metrics":{"time/step_total":4.0}}
        {"step":2,"metrics":{"val/score/mean":1.0}}
        """);
  }

  private LoadedConfig config(String yaml) {
    return new LoadedConfig(
        folder, ExampleRunConfigs.small(folder, 1), yaml, List.of(), Set.of(), Map.of());
  }

  @Test
  void theMeanOfTheStepsOfTheSameConfiguration() {
    assertEquals(new Measured(2, 3.0, metrics), MeasuredSteps.of(config(CONFIG)));
    String longer = CONFIG.replace("max_steps: 3", "max_steps: 300").replace("small", "other");
    assertEquals(new Measured(2, 3.0, metrics), MeasuredSteps.of(config(longer)));
  }

  @Test
  void anotherConfigurationSaysNothing() throws Exception {
    assertNull(MeasuredSteps.of(config(CONFIG.replace("0.1", "0.2"))));
    assertNull(MeasuredSteps.of(config(CONFIG + "seed: 7\n")));
    Files.delete(folder.resolve("config.yaml"));
    assertNull(MeasuredSteps.of(config(CONFIG)));
  }

  @Test
  void theNewestFiftyCount() throws Exception {
    StringBuilder lines = new StringBuilder();
    for (int step = 0; step < 100; step++) {
      double seconds = step < 50 ? 1000 : 0.5;
      lines.append("{\"step\":%d,\"metrics\":{\"time/step_total\":%s}}\n".formatted(step, seconds));
    }
    Files.writeString(metrics, lines);
    assertEquals(new Measured(50, 0.5, metrics), MeasuredSteps.of(config(CONFIG)));
  }

  /** Lines that are truncated, no JSON, without numbers, or too long. */
  @Test
  void whatIsNoTimeIsPassedOver() throws Exception {
    Files.writeString(
        metrics,
        """
        {"step":0,"metrics":{"time/step_total":2.0}}
        {"step":1,"metrics":{"time/step_total":null}}
        {"step":1,"metrics":{"time/step_total":"5"}}
        {"step":1,"metrics":{"time/step_total":1e999}}
        {"step":1,"metrics":{"time/step_total":-4}}
        {"step":1,"metrics":[]}
        []

        nonsense
        {"step":2,"met\
        """);
    assertEquals(new Measured(1, 2.0, metrics), MeasuredSteps.of(config(CONFIG)));
    Files.write(metrics, new byte[] {(byte) 0xff, 0, 1, '\n'});
    assertNull(MeasuredSteps.of(config(CONFIG)));
  }

  @Test
  void aLinkOrAFolderIsNotRead() throws Exception {
    Path elsewhere = Files.move(metrics, folder.resolve("elsewhere"));
    Files.createSymbolicLink(metrics, elsewhere);
    assertNull(MeasuredSteps.of(config(CONFIG)));
    Files.delete(metrics);
    Files.createDirectory(metrics);
    assertNull(MeasuredSteps.of(config(CONFIG)));
  }

  @Test
  void keysAreComparedWithAllBelowThem() {
    Map<String, String> parts = MeasuredSteps.parts(CONFIG);
    assertEquals(Set.of("actor_train", "rollout_batch_size"), parts.keySet());
    assertEquals(
        "actor_train:\n  training_args:\n    learning_rate: 0.1", parts.get("actor_train"));
  }
}
