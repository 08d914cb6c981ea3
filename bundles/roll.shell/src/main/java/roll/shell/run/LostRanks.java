package roll.shell.run;

import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import roll.api.option.UserException;
import roll.api.rank.RanksLostException;
import roll.runtime.config.LoadedConfig;
import roll.runtime.pipeline.RunFailure;
import roll.runtime.pipeline.TrainingRun;

/**
 * What becomes of a run that has lost ranks of a model in training: when as many nodes are there
 * again as it asks for, it goes on from its last checkpoint, as if it had been ended and resumed.
 * When they do not come in time, it goes on with those that are left, if the layout fits them.
 */
final class LostRanks {
  /** What the run continues with. */
  private static final String RESUME = "resume_from_checkpoint=true";

  /** How often ranks may be lost before one more step was made. */
  private static final int MOST = 3;

  /** Milliseconds in which those who count nodes have heard of a loss too. */
  private static final long PAUSE = 1_000;

  private final Listening listening;
  private final @Nullable Duration patience;
  private final PrintStream out;

  /** What has changed since it began. */
  private List<String> shrunk = List.of();

  private int reached = -1;
  private int times;

  /**
   * Of one run.
   *
   * @param patience how long lost ranks are waited for before it goes on with fewer; null for ever
   */
  LostRanks(Listening listening, @Nullable Duration patience, PrintStream out) {
    this.listening = listening;
    this.patience = patience;
    this.out = out;
  }

  /**
   * Waits for the nodes.
   *
   * @param config of the run that has ended
   * @param load the configuration with overrides, {@code key=value}
   * @throws RunFailure if no node can join, or the run does not get on
   * @throws InterruptedException if the thread was interrupted
   */
  LoadedConfig next(
      RanksLostException loss,
      TrainingRun run,
      LoadedConfig config,
      Function<List<String>, LoadedConfig> load)
      throws InterruptedException {
    int step = run.status().step();
    times = step > reached ? 1 : times + 1;
    reached = Math.max(reached, step);
    String line = "ranks lost after step " + step + ": " + loss.getMessage();
    if (!listening.open() || times > MOST) {
      throw new RunFailure(line + "; resume_from_checkpoint=true continues the run");
    }
    out.println(line);
    Thread.sleep(PAUSE);
    int asked = config.run().devices().nodes();
    int there = patience == null ? 0 : listening.await(config, patience);
    LoadedConfig fewer = there > 0 && there < asked ? withFewer(config, there, load) : null;
    if (fewer != null) {
      return fewer;
    }
    listening.await(config);
    out.println("going on from the last checkpoint");
    return load.apply(resumed(shrunk));
  }

  /** The run over {@code nodes} nodes; null, after a line, if its layout does not fit them. */
  private @Nullable LoadedConfig withFewer(
      LoadedConfig config, int nodes, Function<List<String>, LoadedConfig> load) {
    try {
      List<String> overrides = FewerRanks.overrides(config.run(), nodes);
      LoadedConfig fewer = load.apply(resumed(overrides));
      shrunk = overrides;
      out.println("going on from the last checkpoint with fewer: " + String.join(" ", shrunk));
      return fewer;
    } catch (UserException e) {
      out.println("cannot go on with fewer nodes: " + e.getMessage());
      return null;
    }
  }

  private static List<String> resumed(List<String> overrides) {
    List<String> all = new ArrayList<>(overrides);
    all.add(RESUME);
    return all;
  }
}
