package roll.shell.run;

import java.io.PrintStream;
import java.util.List;
import java.util.function.Supplier;
import roll.api.rank.RanksLostException;
import roll.runtime.config.LoadedConfig;
import roll.runtime.pipeline.RunFailure;
import roll.runtime.pipeline.TrainingRun;

/**
 * What becomes of a run that has lost ranks of a model in training: when as many nodes are there
 * again as it asks for, it goes on from its last checkpoint, as if it had been ended and resumed.
 */
final class LostRanks {
  /** What the run continues with. */
  static final List<String> RESUME = List.of("resume_from_checkpoint=true");

  /** How often ranks may be lost before one more step was made. */
  private static final int MOST = 3;

  /** Milliseconds in which those who count nodes have heard of a loss too. */
  private static final long PAUSE = 1_000;

  private final Listening listening;
  private final PrintStream out;
  private int reached = -1;
  private int times;

  LostRanks(Listening listening, PrintStream out) {
    this.listening = listening;
    this.out = out;
  }

  /**
   * Waits for the nodes.
   *
   * @param config of the run that has ended
   * @param resumed loads the configuration it goes on with
   * @throws RunFailure if no node can join, or the run does not get on
   * @throws InterruptedException if the thread was interrupted
   */
  LoadedConfig next(
      RanksLostException loss, TrainingRun run, LoadedConfig config, Supplier<LoadedConfig> resumed)
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
    listening.await(config);
    out.println("going on from the last checkpoint");
    return resumed.get();
  }
}
