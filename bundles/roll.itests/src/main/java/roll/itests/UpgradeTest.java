package roll.itests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import roll.api.option.UserException;
import roll.runtime.config.ConfigLoader;
import roll.runtime.config.LoadedConfig;
import roll.runtime.pipeline.Trainer;

/**
 * Runs that released versions of roll left after one of two steps, with the metrics of both, are
 * resumed by this version. A release adds a folder of its own and keeps the others. 0.2.0 is {@code
 * configs/frozen_lake.yaml} with two groups of four lakes, {@code max_steps=2}, {@code
 * save_steps=1}, and a model of one layer of width 8.
 */
@Tag("framework")
@Timeout(240)
class UpgradeTest {
  private static final Path RUNS =
      Path.of(System.getProperty("roll.root"), "bundles/roll.itests/src/test/resources/runs");

  /** Relative; processors round otherwise than the one that wrote the metrics. */
  private static final double TOLERANCE = 1e-3;

  private final Path folder;

  UpgradeTest(@TempDir Path folder) {
    this.folder = folder;
  }

  @Test
  void aRunOfEveryReleaseGoesOnAsItWould() throws Exception {
    List<Path> releases;
    try (Stream<Path> all = Files.list(RUNS)) {
      releases = all.sorted().toList();
    }
    assertFalse(releases.isEmpty());
    for (Path release : releases) {
      Path run = interrupted(release);
      SmallRuns.finish(SmallRuns.service(Trainer.class).start(config(run)));
      assertSame(release, RunAssertions.metrics(release), RunAssertions.metrics(run));
    }
  }

  @Test
  void aCheckpointOfANewerFormatIsRefusedAndStays() throws Exception {
    Path run = interrupted(RUNS.resolve("0.2.0"));
    Path checkpoint = run.resolve("checkpoint-1");
    Path manifest = checkpoint.resolve("trainer/files.json");
    String newer = Files.readString(manifest).replace("\"format\": 1,", "\"format\": 1000,");
    Files.writeString(manifest, newer);
    UserException refused =
        assertThrows(
            UserException.class,
            () -> SmallRuns.finish(SmallRuns.service(Trainer.class).start(config(run))));
    assertEquals(
        "resume_from_checkpoint: "
            + checkpoint
            + " has format 1000, and this version of roll reads formats up to 1: resume with the"
            + " version that wrote it, or a newer one",
        refused.getMessage());
    assertEquals(newer, Files.readString(manifest));
  }

  /** Copies what a process that was killed in its second step would have left. */
  private Path interrupted(Path release) throws IOException {
    Path run = folder.resolve(release.getFileName().toString());
    SmallRuns.copy(release, run);
    Path metrics = run.resolve("metrics.jsonl");
    Files.writeString(metrics, Files.readAllLines(metrics).getFirst() + "\n");
    return run;
  }

  /** Reads the configuration that the release wrote; only places are of this machine. */
  private LoadedConfig config(Path run) {
    Path model = run.resolve("checkpoint-1");
    return SmallRuns.service(ConfigLoader.class)
        .load(
            run.resolve("config.yaml"),
            List.of(
                "output_dir=" + folder,
                "exp_name=" + run.getFileName(),
                "pretrain=" + model,
                "actor_train.model_args.model_name_or_path=" + model,
                "actor_infer.model_args.model_name_or_path=" + model,
                "resume_from_checkpoint=true"));
  }

  private static void assertSame(
      Path release,
      Map<Integer, Map<String, String>> expected,
      Map<Integer, Map<String, String>> found) {
    assertEquals(expected.keySet(), found.keySet());
    Map<String, String> step = Objects.requireNonNull(found.get(1));
    Objects.requireNonNull(expected.get(1))
        .forEach(
            (name, text) -> {
              double value = Double.parseDouble(text);
              assertEquals(
                  value,
                  Double.parseDouble(step.getOrDefault(name, "NaN")),
                  TOLERANCE * (Math.abs(value) + 1e-3),
                  () -> release.getFileName() + ": " + name);
            });
  }
}
