package roll.itests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import roll.runtime.pipeline.RunStatus;
import roll.runtime.pipeline.RunStatus.State;
import roll.runtime.pipeline.TrainingRun;

/** The bundle of the workspaces is replaced and removed while episodes work in them. */
@Tag("framework")
@Timeout(300)
class WorkspaceSwapTest {
  private static final String BUNDLE = "roll.workspace.local";

  private final Set<Path> before = folders();
  private final Path folder;

  WorkspaceSwapTest(@TempDir Path folder) {
    this.folder = folder;
  }

  @BeforeEach
  void onlyWithPython() {
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/python3")), "no /usr/bin/python3");
  }

  /** No version of the bundle leaves a process or a folder. */
  @AfterEach
  void nothingIsLeft() throws Exception {
    Waits.until(
        () -> ProcessHandle.current().children().noneMatch(WorkspaceSwapTest::makesWorkspaces));
    Waits.until(() -> before.containsAll(folders()));
  }

  private static boolean makesWorkspaces(ProcessHandle process) {
    return process.info().command().orElse("").contains("python");
  }

  private static Set<Path> folders() {
    try (Stream<Path> files = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
      return files
          .filter(file -> file.getFileName().toString().matches("roll-(terminal-|workspace).*"))
          .collect(Collectors.toCollection(TreeSet::new));
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void newVersionsServeFromTheNextStepOn() throws Exception {
    try (BundleVersions provider = BundleVersions.of(BUNDLE)) {
      TrainingRun run = start("swapped", "max_steps=4");
      updated(run, provider);
      assertGraded(run, 4);
    }
  }

  @Test
  void anAsynchronousRunTakesThemToo() throws Exception {
    try (BundleVersions provider = BundleVersions.of(BUNDLE)) {
      TrainingRun run = start("ahead", "max_steps=6", "async_generation_ratio=1");
      updated(run, provider);
      assertGraded(run, 6);
    }
  }

  /** Replaces the bundle in each of three steps. */
  private static void updated(TrainingRun run, BundleVersions provider) throws Exception {
    for (int version = 2; version < 5; version++) {
      int done = version - 1;
      Waits.await(run, status -> status.step() >= done);
      provider.update();
      assertEquals(BUNDLE + " 1.0." + version, provider.name());
    }
    SmallRuns.finish(run);
    Waits.collect(100, () -> provider.alive() == 0);
    assertEquals(0, provider.alive(), "class loaders of replaced versions");
  }

  @Test
  void aRunWaitsForWhatIsTakenAway() throws Exception {
    try (BundleVersions provider = BundleVersions.of(BUNDLE)) {
      TrainingRun run = start("waiting", "max_steps=3");
      Waits.await(run, status -> status.step() >= 1);
      provider.stop();
      RunStatus waiting = Waits.await(run, status -> status.state() == State.WAITING);
      assertEquals(
          "no service roll.workspace=local: waiting until a bundle provides it", waiting.waiting());
      provider.start();
      SmallRuns.finish(run);
      assertGraded(run, 3);
    }
  }

  /**
   * A stop that does not wait for the end of the step, as after {@code roll.retire.timeout}, ends
   * the episodes in play: they fail, and the run waits, or is refused if all have failed.
   */
  @Test
  void episodesWhoseWorkspacesAreGoneEnd() throws Exception {
    try (BundleVersions provider = BundleVersions.of(BUNDLE)) {
      TrainingRun run = start("lost", "max_steps=1000", "save_steps=1000");
      Waits.await(run, status -> status.step() >= 1 && status.phase().equals("rollout"));
      Thread impatient =
          Thread.ofPlatform()
              .start(
                  () -> {
                    Thread.currentThread().interrupt();
                    try {
                      provider.stop();
                    } catch (Exception e) {
                      throw new IllegalStateException(e);
                    }
                  });
      impatient.join();
      Waits.until(() -> !run.status().state().active() || run.status().state() == State.WAITING);
      provider.start();
      run.stop();
      Waits.until(() -> !run.status().state().active());
      RunStatus last = run.status();
      assertTrue(
          last.state() == State.STOPPED
              || String.valueOf(last.waiting()).contains("all environments are quarantined"),
          last::toString);
    }
    TrainingRun next = start("next", "max_steps=1");
    SmallRuns.finish(next);
    assertGraded(next, 1);
  }

  private static void assertGraded(TrainingRun run, int steps) throws IOException {
    List<JsonObject> played = new ArrayList<>();
    for (int step = 0; step < steps; step++) {
      for (String line :
          Files.readAllLines(run.folder().resolve("trajectories/step-" + step + ".jsonl"))) {
        played.add(JsonParser.parseString(line).getAsJsonObject());
      }
    }
    assertEquals(8 * steps, played.size());
    for (JsonObject line : played) {
      JsonObject metrics = line.getAsJsonObject("metrics");
      assertEquals(0, metrics.get("verifier_failed").getAsDouble(), line::toString);
    }
    String log = Files.readString(run.folder().resolve("run.log"));
    assertTrue(log.contains(BUNDLE), log);
  }

  private TrainingRun start(String name, String... more) {
    return SmallRuns.start(
        "terminal.yaml",
        folder,
        SmallRuns.overrides(
            more,
            "exp_name=" + name,
            "pretrain=" + SmallRuns.config("models/terminal-tiny"),
            "custom_envs.Terminal.max_steps=2",
            "custom_envs.Terminal.env_config.isolation=best_effort",
            "rollout_batch_size=8",
            "train_env_manager.num_env_groups=2",
            "train_env_manager.group_size=4",
            "train_env_manager.generating_args.max_new_tokens=16",
            "actor_train.training_args.per_device_train_batch_size=4",
            "eval_steps=0",
            "save_steps=1000",
            "logging_steps=1",
            "track_with=[jsonl]"));
  }
}
