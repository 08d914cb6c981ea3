package roll.itests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import roll.runtime.pipeline.RunStatus;
import roll.runtime.pipeline.RunStatus.State;
import roll.runtime.pipeline.TrainingRun;

/**
 * The bundles of a run with tools are replaced and removed while it continues: a tool, an agent
 * type, a grader and the data set reader.
 */
@Tag("framework")
@Timeout(900)
class ToolSwapTest {
  private static final int SWAPS = 12;

  private final Path folder;

  ToolSwapTest(@TempDir Path folder) {
    this.folder = folder;
  }

  @Test
  void newVersionsServeFromTheNextStepOn() throws Exception {
    try (BundleVersions tool = BundleVersions.of("roll.tool.calculator");
        BundleVersions grader = BundleVersions.of("roll.grader.math_verify");
        BundleVersions reader = BundleVersions.of("roll.dataset");
        BundleVersions agent = BundleVersions.stampedAgent()) {
      List<BundleVersions> editions = List.of(agent, tool, grader, reader);
      TrainingRun run = start("swapped", "max_steps=1000");
      update(run, editions, SWAPS);
      RunStatus last = run.status();
      for (BundleVersions edition : List.of(agent, tool, grader)) {
        assertTrue(last.served().contains(edition.name()), last::served);
      }
      run.stop();
      int steps = run.outcome().get().steps();
      assertEquals(State.STOPPED, run.status().state());
      String log = log(run);
      for (int version = 1; version <= 1 + SWAPS / editions.size(); version++) {
        assertTrue(log.contains("roll.tool.calculator 1.0." + version), log);
        assertTrue(log.contains("roll.grader.math_verify 1.0." + version), log);
      }
      assertEquals(Set.of(1, 2, 3, 4), versions(run, steps), "agents that played");
      assertGone(editions);
    }
  }

  @Test
  void anAsynchronousRunTakesThemToo() throws Exception {
    try (BundleVersions tool = BundleVersions.of("roll.tool.calculator");
        BundleVersions grader = BundleVersions.of("roll.grader.math_verify");
        BundleVersions agent = BundleVersions.stampedAgent()) {
      List<BundleVersions> editions = List.of(agent, tool, grader);
      TrainingRun run = start("ahead", "max_steps=1000", "async_generation_ratio=0.5");
      update(run, editions, editions.size());
      run.stop();
      run.outcome().get();
      assertEquals(State.STOPPED, run.status().state());
      assertGone(editions);
    }
  }

  @Test
  void aRunWaitsForWhatIsTakenAway() throws Exception {
    Map<String, BundleVersions> editions = new LinkedHashMap<>();
    try (BundleVersions tool = BundleVersions.of("roll.tool.calculator");
        BundleVersions grader = BundleVersions.of("roll.grader.math_verify");
        BundleVersions reader = BundleVersions.of("roll.dataset");
        BundleVersions agent = BundleVersions.stampedAgent()) {
      editions.put("roll.tool=calculator", tool);
      editions.put("roll.grader=math_verify", grader);
      editions.put("roll.env=dataset", reader);
      editions.put("roll.agent.type=stamped", agent);
      TrainingRun run = start("waiting", "max_steps=12");
      int done = 1;
      for (var missing : editions.entrySet()) {
        int least = done++;
        Waits.await(run, status -> status.step() >= least);
        missing.getValue().stop();
        RunStatus waiting = Waits.await(run, status -> status.state() == State.WAITING);
        String notice = "no service " + missing.getKey() + ": waiting until a bundle provides it";
        assertEquals(notice, waiting.waiting());
        missing.getValue().start();
        Waits.await(run, status -> status.state() != State.WAITING);
        assertTrue(log(run).contains(notice));
      }
      run.outcome().get();
      TrainingRun whole = start("whole", "max_steps=12");
      whole.outcome().get();
      RunAssertions.assertSameRun(whole.folder(), run.folder());
    }
  }

  /** Updates one of {@code editions} in turn in each step. */
  private static void update(TrainingRun run, List<BundleVersions> editions, int times)
      throws Exception {
    for (int i = 0; i <= times; i++) {
      int done = run.status().step();
      Waits.await(run, status -> status.step() > done);
      if (i < times) {
        editions.get(i % editions.size()).update();
      }
    }
  }

  /**
   * Returns the versions of the agent type that made the calls of {@code run}, one in each step.
   */
  private static Set<Integer> versions(TrainingRun run, int steps) throws Exception {
    Set<Integer> all = new TreeSet<>();
    for (int step = 0; step < steps; step++) {
      Set<Integer> ofStep = new TreeSet<>();
      Path file = run.folder().resolve("trajectories/step-" + step + ".jsonl");
      for (String line : Files.readAllLines(file)) {
        JsonObject trajectory = JsonParser.parseString(line).getAsJsonObject();
        for (JsonElement message : trajectory.getAsJsonArray("messages")) {
          if (message.getAsJsonObject().get("role").getAsString().equals("tool")) {
            ofStep.add(message.getAsJsonObject().get("content").getAsInt());
          }
        }
      }
      assertEquals(1, ofStep.size(), () -> "agents of one step: " + ofStep);
      all.addAll(ofStep);
    }
    return all;
  }

  /** No class loader of an earlier version is left after garbage collections. */
  private static void assertGone(List<BundleVersions> editions) throws InterruptedException {
    Waits.collect(600, () -> left(editions).isEmpty());
    assertEquals(List.of(), left(editions), "bundles whose earlier class loaders are left");
  }

  private static List<String> left(List<BundleVersions> editions) {
    return editions.stream()
        .filter(edition -> edition.alive() > 0)
        .map(BundleVersions::name)
        .toList();
  }

  private static String log(TrainingRun run) throws IOException {
    return Files.readString(run.folder().resolve("run.log"));
  }

  private TrainingRun start(String name, String... more) {
    List<String> overrides =
        SmallRuns.overrides(
            more,
            "exp_name=" + name,
            "pretrain=" + SmallRuns.config("models/arithmetic-tiny"),
            "custom_envs.Arithmetic.agent.agent_type=stamped",
            "custom_envs.Arithmetic.env_config.train_files="
                + SmallRuns.config("data/arithmetic-train.jsonl"),
            "sequence_length=256",
            "rollout_batch_size=8",
            "train_env_manager.num_env_groups=2",
            "train_env_manager.group_size=4",
            "train_env_manager.generating_args.max_new_tokens=8",
            "actor_train.training_args.per_device_train_batch_size=4",
            "eval_steps=0",
            "save_steps=2",
            "logging_steps=1",
            "track_with=[jsonl]");
    return SmallRuns.start("arithmetic.yaml", folder, overrides);
  }
}
