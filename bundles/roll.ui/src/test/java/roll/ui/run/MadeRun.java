package roll.ui.run;

import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import roll.runtime.config.LoadedConfig;
import roll.runtime.pipeline.RunStatus;
import roll.runtime.pipeline.RunStatus.State;
import roll.runtime.pipeline.Trainer;
import roll.runtime.pipeline.TrainingRun;

/** A run of this process in a test: in one state, taking no orders. */
record MadeRun(int number, Path folder, State state) implements TrainingRun {
  static final Instant STARTED = Instant.ofEpochMilli(1_000_000);

  /** A trainer with {@code runs}, which starts none. */
  static Trainer trainer(List<TrainingRun> runs) {
    return new Trainer() {
      @Override
      public List<String> check(LoadedConfig config) {
        return List.of();
      }

      @Override
      public TrainingRun start(LoadedConfig config) {
        throw new UnsupportedOperationException();
      }

      @Override
      public List<TrainingRun> runs() {
        return runs;
      }
    };
  }

  @Override
  public String name() {
    return "lake";
  }

  @Override
  public List<String> notices() {
    return List.of("notice: before the log");
  }

  @Override
  public RunStatus status() {
    Map<String, Double> metrics = Map.of("rollout/score/mean", 0.5, "critic/kl", 0.1);
    return new RunStatus(
        state,
        7,
        10,
        "rollout",
        state == State.FAILED ? "disk full" : null,
        "roll.loss.ppo 1.0.0, roll.estimator.grpo 1.0.0",
        STARTED,
        state.active() ? null : STARTED.plusSeconds(60),
        metrics);
  }

  @Override
  public void pause() {}

  @Override
  public void resume() {}

  @Override
  public void stop() {}

  @Override
  public List<String> swap(String kind, String from, String to, List<String> overrides) {
    return List.of();
  }

  @Override
  public CompletableFuture<Outcome> outcome() {
    return new CompletableFuture<>();
  }
}
