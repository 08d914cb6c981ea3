package roll.ui.control;

import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import roll.api.option.UserException;
import roll.runtime.config.LoadedConfig;
import roll.runtime.pipeline.RunStatus;
import roll.runtime.pipeline.RunStatus.State;
import roll.runtime.pipeline.Trainer;
import roll.runtime.pipeline.TrainingRun;

/** A run that records its orders, for tests. */
public record OrderRecordingRun(int number, List<String> orders, Path folder, RunStatus status)
    implements TrainingRun {
  /** When {@link #of} has it started. */
  public static final Instant STARTED = Instant.ofEpochMilli(1_000_000);

  /** One that runs, in a folder of its number. */
  public OrderRecordingRun(int number, List<String> orders) {
    this(
        number,
        orders,
        Path.of("output/run-" + number).toAbsolutePath(),
        new RunStatus(State.RUNNING, 7, 300, "", null, "", Instant.EPOCH, null, Map.of()));
  }

  /** One in {@code folder} that was started at {@link #STARTED}. */
  public static OrderRecordingRun of(int number, Path folder, State state) {
    return new OrderRecordingRun(number, new ArrayList<>())
        .in(folder)
        .with(
            new RunStatus(
                state,
                7,
                10,
                "rollout",
                state == State.FAILED ? "disk full" : null,
                "roll.loss.ppo 1.0.0, roll.estimator.grpo 1.0.0",
                STARTED,
                state.active() ? null : STARTED.plusSeconds(60),
                Map.of("rollout/score/mean", 0.5, "critic/kl", 0.1)));
  }

  /** A trainer with {@code runs}, which starts none. */
  public static Trainer trainer(List<? extends TrainingRun> runs) {
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
        return List.copyOf(runs);
      }
    };
  }

  /** The same with another status. */
  public OrderRecordingRun with(RunStatus other) {
    return new OrderRecordingRun(number, orders, folder, other);
  }

  /** The same in another folder. */
  public OrderRecordingRun in(Path other) {
    return new OrderRecordingRun(number, orders, other, status);
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
  public void pause() {
    orders.add("pause");
  }

  @Override
  public void resume() {
    orders.add("resume");
  }

  @Override
  public void stop() {
    orders.add("stop");
  }

  @Override
  public List<String> swap(String kind, String from, String to, List<String> overrides) {
    if (to.equals("unknown")) {
      throw new UserException("swap: no " + kind + " 'unknown' is registered");
    }
    orders.add("swap " + kind + " " + from + " " + to + " " + overrides);
    return List.of("x: left out");
  }

  @Override
  public CompletableFuture<Outcome> outcome() {
    return new CompletableFuture<>();
  }
}
