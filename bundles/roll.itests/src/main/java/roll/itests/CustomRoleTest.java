package roll.itests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import roll.api.option.UserException;
import roll.itests.kind.OrderingKind;
import roll.itests.role.FirstFive;
import roll.itests.role.ScaledRewards;
import roll.runtime.pipeline.Trainer;
import roll.runtime.pipeline.TrainingRun;
import roll.runtime.worker.WorkerRole;

/** A custom role runs between two phases, and is swapped like a shipped one. */
@Tag("framework")
@Timeout(240)
class CustomRoleTest {
  private final Path folder;

  CustomRoleTest(@TempDir Path folder) {
    this.folder = folder;
  }

  @Test
  void scalesRewardsAndIsSwappedForOneThatFilters() throws Exception {
    try (BundleVersions relabels = relabels()) {
      TrainingRun plain = start("plain", "max_steps=2");
      plain.outcome().get();
      String scaled = "roles={relabel: {worker: scaled, worker_config: {factor: 4}}}";
      TrainingRun run = start("scaled", scaled, "max_steps=100000");
      Waits.await(run, status -> status.step() > 1);
      assertTrue(run.status().served().contains(relabels.name()), run.status()::served);
      assertEquals(
          List.of("roles.relabel.worker_config.factor: left out, five has no such option"),
          run.swap("worker", "scaled", "five", List.of()));
      int before = run.status().step();
      Waits.await(run, status -> status.step() > before + 1);
      run.stop();
      run.outcome().get();
      double score = metric(plain, 0, "critic/score/mean");
      assertEquals(4 * score, metric(run, 0, "critic/score/mean"), 1e-12);
      assertEquals(score, metric(run, 0, "rollout/score/mean"), 1e-12, "as it was played");
      assertEquals(32, metric(run, 0, "relabel/trajectories"));
      assertTrue(metric(run, 0, "time/step_roles.relabel") >= 0);
      assertTrue(metric(run, 0, "time/roles.relabel/edit/total") >= 0);
      assertEquals(0, metric(run, 0, "system/batch_add_count"));
      assertEquals(11, metric(run, before + 1, "system/batch_add_count"), "5 samples of 16");
      String config = Files.readString(run.folder().resolve("config.yaml"));
      assertTrue(config.contains("worker: five"), config);
    }
  }

  @Test
  void theOneOfTheDocumentationIsThisOne() throws Exception {
    assertDocumented(ScaledRewards.class);
    assertDocumented(OrderingKind.class);
  }

  private static void assertDocumented(Class<?> type) throws Exception {
    Path root = Path.of(System.getProperty("roll.root"));
    String file = "bundles/roll.itests/src/main/java/" + type.getName().replace('.', '/') + ".java";
    String source = Files.readString(root.resolve(file));
    String code = source.substring(source.indexOf("public final class"));
    assertTrue(Files.readString(root.resolve("docs/plugins.md")).contains(code), code);
  }

  @Test
  void isRefusedInOneLine() throws Exception {
    String scaled = "roles={relabel: {worker: scaled, after: advantages}}";
    assertEquals(
        "roles.relabel.worker: no roll.worker 'scaled' is registered",
        refused(scaled).replaceFirst(" \\(registered.*", ""));
    try (BundleVersions relabels = relabels()) {
      assertEquals(
          "roles.relabel.worker_config: unknown key 'facter' (allowed: factor); did you mean"
              + " 'factor'?",
          refused("roles={relabel: {worker: scaled, worker_config: {facter: 4}}}"));
      TrainingRun run = start("deaf", scaled, "max_steps=2");
      ExecutionException failed = assertThrows(ExecutionException.class, () -> run.outcome().get());
      assertEquals(
          "roles.relabel: "
              + relabels.name()
              + " has no handler for EditBatch, which this role is asked",
          Objects.requireNonNull(failed.getCause()).getMessage());
    }
  }

  private static BundleVersions relabels() throws Exception {
    return BundleVersions.made(
        "relabels",
        ScaledRewards.class.getPackageName(),
        "roll.api.data,roll.api.option,roll.runtime.worker",
        List.of(
            BundleVersions.component(
                ScaledRewards.class, WorkerRole.class, "roll.worker", "scaled"),
            BundleVersions.component(FirstFive.class, WorkerRole.class, "roll.worker", "five")));
  }

  private static double metric(TrainingRun run, int step, String name) throws Exception {
    JsonObject line =
        JsonParser.parseString(Files.readAllLines(run.folder().resolve("metrics.jsonl")).get(step))
            .getAsJsonObject();
    return line.getAsJsonObject("metrics").get(name).getAsDouble();
  }

  private TrainingRun start(String name, String... more) {
    return SmallRuns.start("frozen_lake.yaml", folder, overrides(name, more));
  }

  private static List<String> overrides(String name, String... more) {
    List<String> overrides =
        SmallRuns.overrides(more, "exp_name=" + name, "track_with=[jsonl]", "eval_steps=0");
    return overrides;
  }

  private String refused(String override) {
    Trainer trainer = SmallRuns.service(Trainer.class);
    var config = SmallRuns.load("frozen_lake.yaml", folder, overrides("refused", override));
    return String.valueOf(
        assertThrows(UserException.class, () -> trainer.check(config)).getMessage());
  }
}
