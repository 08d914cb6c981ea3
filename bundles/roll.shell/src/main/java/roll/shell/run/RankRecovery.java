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
 * Continues a run that has lost ranks of a model in training. When all nodes are back, the run
 * resumes from its last checkpoint; if they do not return in time, it resumes on the remaining
 * nodes, if the layout fits them.
 */
final class RankRecovery {
  /** The override that resumes the run. */
  private static final String RESUME = "resume_from_checkpoint=true";

  /** Maximum number of losses without progress. */
  private static final int MOST = 3;

  /** Milliseconds after which the count of nodes reflects a loss. */
  private static final long PAUSE = 1_000;

  private final ClusterListener listening;
  private final @Nullable Duration patience;
  private final PrintStream out;

  /** Configuration overrides by which the layout was reduced since the run started. */
  private List<String> shrunk = List.of();

  private int reached = -1;
  private int times;

  /**
   * Creates the recovery of one run.
   *
   * @param patience how long to wait for lost ranks before continuing with fewer; null for ever
   */
  RankRecovery(ClusterListener listening, @Nullable Duration patience, PrintStream out) {
    this.listening = listening;
    this.patience = patience;
    this.out = out;
  }

  /**
   * Waits for the nodes and returns the configuration to continue with.
   *
   * @param config of the run that has ended
   * @param load loads the configuration with overrides, {@code key=value}
   * @throws RunFailure if no node can join, or the run makes no progress
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
    out.println("continuing from the last checkpoint");
    return load.apply(resumed(shrunk));
  }

  /** Returns the run on {@code nodes} nodes; null, after a message, if the layout does not fit. */
  private @Nullable LoadedConfig withFewer(
      LoadedConfig config, int nodes, Function<List<String>, LoadedConfig> load) {
    try {
      List<String> overrides = ReducedLayout.overrides(config.run(), nodes);
      LoadedConfig fewer = load.apply(resumed(overrides));
      shrunk = overrides;
      out.println(
          "continuing from the last checkpoint on fewer nodes: " + String.join(" ", shrunk));
      return fewer;
    } catch (UserException e) {
      out.println("cannot continue on fewer nodes: " + e.getMessage());
      return null;
    }
  }

  private static List<String> resumed(List<String> overrides) {
    List<String> all = new ArrayList<>(overrides);
    all.add(RESUME);
    return all;
  }
}
