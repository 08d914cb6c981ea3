package roll.shell;

import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import roll.runtime.pipeline.RunStatus;
import roll.runtime.pipeline.TrainingRun;

/** A run that only notes what it is asked. */
public record NotingRun(int number, List<String> calls, CompletableFuture<Outcome> outcome)
    implements TrainingRun {
  @Override
  public String name() {
    return "lake";
  }

  @Override
  public List<String> notices() {
    return List.of("lambd is not read");
  }

  @Override
  public Path folder() {
    return Path.of("output/lake");
  }

  @Override
  public RunStatus status() {
    Instant started = Instant.EPOCH;
    return new RunStatus(
        RunStatus.State.WAITING,
        7,
        300,
        "rollout",
        "no service roll.env=maze: waiting until a bundle provides it",
        "roll.estimator.grpo 1.0.0, roll.loss.ppo 1.0.0",
        started,
        started.plusSeconds(65),
        Map.of(
            "rollout/score/mean", 0.25,
            "idle/cpu/total", 0.4,
            "idle/cpu/tool", 0.3,
            "idle/cpu/weights", 0.08,
            "idle/cpu/queue", 0.0));
  }

  @Override
  public void pause() {
    calls.add("pause");
  }

  @Override
  public void resume() {
    calls.add("resume");
  }

  @Override
  public void stop() {
    calls.add("stop");
    outcome.complete(new Outcome(1, true, Map.of()));
  }

  @Override
  public List<String> swap(String kind, String from, String to, List<String> overrides) {
    calls.add("swap " + kind + " " + from + " " + to + " " + overrides);
    return List.of("x: left out");
  }
}
