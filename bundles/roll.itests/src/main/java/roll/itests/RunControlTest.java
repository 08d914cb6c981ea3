package roll.itests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import roll.api.option.UserException;
import roll.runtime.pipeline.RunStatus;
import roll.runtime.pipeline.RunStatus.State;
import roll.runtime.pipeline.Trainer;
import roll.runtime.pipeline.TrainingRun;

/** Swaps and other commands during a run. */
@Tag("framework")
@Timeout(240)
class RunControlTest {
  private static final int STEPS = 4;

  private final Path folder;

  RunControlTest(@TempDir Path folder) {
    this.folder = folder;
  }

  @Test
  void aPausedRunContinuesBitForBit() throws Exception {
    Path whole = finish(start("whole")).folder();
    TrainingRun run = start("paused");
    run.pause();
    RunStatus paused = Waits.await(run, status -> status.state() == State.PAUSED);
    assertTrue(SmallRuns.service(Trainer.class).runs().contains(run), "it is listed");
    Thread.sleep(300);
    assertEquals(paused.step(), run.status().step());
    run.resume();
    RunAssertions.assertSameRun(whole, finish(run).folder());
    assertEquals(State.FINISHED, run.status().state());
  }

  @Test
  void aRunWaitsForWhatIsTakenAway() throws Exception {
    try (BundleVersions lake = BundleVersions.stampedLake()) {
      TrainingRun run = start("waiting", "custom_envs.FrozenLake.env_type=stamped");
      Waits.await(run, status -> status.step() >= 1);
      lake.stop();
      RunStatus waiting = Waits.await(run, status -> status.state() == State.WAITING);
      String notice = "no service roll.env=stamped: waiting until a bundle provides it";
      assertEquals(notice, waiting.waiting());
      lake.start();
      Path waited = finish(run).folder();
      assertTrue(Files.readString(waited.resolve("run.log")).contains(notice));
      Path whole = finish(start("whole", "custom_envs.FrozenLake.env_type=stamped")).folder();
      RunAssertions.assertSameRun(whole, waited);
    }
  }

  @Test
  void aRunThatIsStoppedWhileItWaitsIsSaved() throws Exception {
    try (BundleVersions lake = BundleVersions.stampedLake()) {
      TrainingRun run = start("waiting", "custom_envs.FrozenLake.env_type=stamped");
      Waits.await(run, status -> status.step() >= 1);
      lake.stop();
      Waits.await(run, status -> status.state() == State.WAITING);
      run.stop();
      int done = run.outcome().get().steps();
      assertTrue(Files.isDirectory(run.folder().resolve("checkpoint-" + done)));
      lake.start();
      Path whole = finish(start("whole", "custom_envs.FrozenLake.env_type=stamped")).folder();
      Path resumed =
          finish(
                  start(
                      "waiting",
                      "custom_envs.FrozenLake.env_type=stamped",
                      "resume_from_checkpoint=true"))
              .folder();
      RunAssertions.assertSameRun(whole, resumed);
    }
  }

  @Test
  void pluginsAreSwappedByName() throws Exception {
    TrainingRun run = start("swapped", "max_steps=6");
    Waits.await(run, status -> status.step() >= 1);
    run.pause();
    Waits.await(run, status -> status.state() == State.PAUSED);
    assertEquals(
        List.of("key 'gamma' has no effect here: adv_estimator rloo does not read it"),
        run.swap("estimator", "grpo", "rloo", List.of()));
    run.swap("loss", "ppo", "cispo", List.of());
    run.swap("tracker", "chart", "console", List.of());
    run.swap("strategy", "vllm", "hf_infer", List.of());
    int from = run.status().step();
    run.resume();
    String log = Files.readString(finish(run).folder().resolve("run.log"));
    assertTrue(log.contains("from step " + from + " on: estimator grpo → rloo"), log);
    assertTrue(log.contains("roll.loss.cispo"), log);
    assertTrue(log.contains("reopening: actor_infer"), log);
    String config = Files.readString(run.folder().resolve("config.yaml"));
    for (String line :
        List.of("adv_estimator: rloo", "pg_variant: cispo", "strategy_name: hf_infer")) {
      assertTrue(config.contains(line), config);
    }
    Map<String, String> last =
        Objects.requireNonNull(RunAssertions.metrics(run.folder()).get(5), "last step");
    assertTrue(Double.parseDouble(last.getOrDefault("system/swaps", "0")) >= 4, last::toString);
  }

  /** A swapped training strategy passes on its optimizer state, so that training continues. */
  @Test
  void aTrainingStrategyHandsItsStateOver() throws Exception {
    Path whole = finish(start("whole")).folder();
    TrainingRun run = start("handed");
    Waits.await(run, status -> status.step() >= 1);
    run.pause();
    int from = Waits.await(run, status -> status.state() == State.PAUSED).step();
    run.swap("strategy", "local_train", "zero3", List.of());
    run.resume();
    finish(run);
    assertTrue(Files.isDirectory(run.folder().resolve("checkpoint-" + from)));
    for (int step = 0; step < STEPS; step++) {
      for (String name : List.of("actor_train/grad_norm", "critic/score/mean", "actor/pg_loss")) {
        double expected = metric(whole, step, name);
        assertEquals(expected, metric(run.folder(), step, name), 1e-4, step + " " + name);
      }
    }
  }

  private static double metric(Path run, int step, String name) throws Exception {
    Map<String, String> metrics = Objects.requireNonNull(RunAssertions.metrics(run).get(step));
    return Double.parseDouble(Objects.requireNonNull(metrics.get(name), name));
  }

  @Test
  void anAsynchronousRunTakesNewVersionsToo() throws Exception {
    try (BundleVersions lake = BundleVersions.stampedLake()) {
      TrainingRun run =
          start(
              "async",
              "custom_envs.FrozenLake.env_type=stamped",
              "async_generation_ratio=0.5",
              "logging_steps=1",
              "max_steps=8");
      for (int i = 1; i < 4; i++) {
        int done = run.status().step();
        Waits.await(run, status -> status.step() > done);
        lake.update();
      }
      finish(run);
      Waits.collect(50, () -> lake.alive() == 0);
      assertEquals(0, lake.alive(), "class loaders of replaced versions");
    }
  }

  @Test
  void invalidSwapsAreRefused() throws Exception {
    TrainingRun run = start("refused", "max_steps=50");
    assertSwap(
        run,
        "estimater grpo rloo",
        "swap: no kind 'estimater' (allowed: estimator, loss, curriculum, tracker, worker,"
            + " strategy, environment, manager, agent, tool, reward, player, filter); did you mean"
            + " 'estimator'?");
    assertSwap(
        run,
        "estimator grop rloo",
        "swap: the run uses no estimator 'grop' (it uses: grpo); did you mean 'grpo'?");
    UserException unknown =
        assertThrows(UserException.class, () -> run.swap("estimator", "grpo", "rlo", List.of()));
    assertTrue(
        String.valueOf(unknown.getMessage()).endsWith("did you mean 'rloo'?"),
        unknown.getMessage());
    UserException needs =
        assertThrows(UserException.class, () -> run.swap("estimator", "grpo", "gae", List.of()));
    assertEquals(
        "swap: this needs the role critic, and roles cannot change during a run, which has"
            + " actor_train, actor_infer, environment",
        needs.getMessage());
    UserException fixed =
        assertThrows(
            UserException.class, () -> run.swap("estimator", "grpo", "rloo", List.of("seed=7")));
    assertEquals("swap: 'seed' cannot change during a run: 42 would be 7", fixed.getMessage());
    List<String> scaled =
        List.of(
            "scale_logits_by_temperature=true",
            "train_env_manager.generating_args.temperature=0.5");
    UserException divided =
        assertThrows(UserException.class, () -> run.swap("estimator", "grpo", "rloo", scaled));
    assertEquals(
        "swap: 'the temperature that logits are divided by' cannot change during a run: 1.0 would"
            + " be 0.5",
        divided.getMessage());
    run.stop();
    run.outcome().get();
    assertSwap(run, "estimator grpo rloo", "run " + run.number() + " has ended");
  }

  private static void assertSwap(TrainingRun run, String words, String message) {
    List<String> all = List.of(words.split(" "));
    UserException refused =
        assertThrows(
            UserException.class, () -> run.swap(all.get(0), all.get(1), all.get(2), List.of()));
    assertEquals(message, refused.getMessage());
  }

  private static TrainingRun finish(TrainingRun run) throws Exception {
    run.outcome().get();
    return run;
  }

  private TrainingRun start(String name, String... more) {
    List<String> overrides =
        SmallRuns.overrides(more, "exp_name=" + name, "max_steps=" + STEPS, "save_steps=2");
    return SmallRuns.start("frozen_lake.yaml", folder, overrides);
  }
}
