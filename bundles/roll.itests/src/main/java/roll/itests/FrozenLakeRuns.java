package roll.itests;

import static org.junit.jupiter.api.Assertions.assertFalse;

import java.nio.file.Path;
import java.util.List;
import roll.runtime.pipeline.TrainingRun;
import roll.runtime.pipeline.TrainingRun.Outcome;

/** Runs of the shipped FrozenLake configuration in a test's folder. */
final class FrozenLakeRuns {
  static final int STEPS = 4;

  private final Path folder;

  FrozenLakeRuns(Path folder) {
    this.folder = folder;
  }

  /** Runs to the end. */
  TrainingRun train(String name, String... overrides) throws Exception {
    TrainingRun run = start(name, overrides);
    Outcome outcome = run.outcome().get();
    assertFalse(outcome.interrupted());
    return run;
  }

  /** Starts a run with a checkpoint after every second step. */
  TrainingRun start(String name, String... more) {
    List<String> overrides =
        SmallRuns.overrides(more, "exp_name=" + name, "max_steps=" + STEPS, "save_steps=2");
    return SmallRuns.start("frozen_lake.yaml", folder, overrides);
  }
}
