package roll.math;

import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;
import roll.api.data.Batch;
import roll.api.data.Layout;
import roll.api.estimator.TokenRewards;

/**
 * The turns of a batch, by sample: a turn is all policy tokens of a sample with the same turn
 * number. If a sample is a whole trajectory, its turns are consecutive; if it is one step, the
 * columns {@link Batch#TRAJECTORIES} and {@link Batch#STEPS} connect and order the steps.
 */
public final class BatchTurns {
  private final TokenRewards batch;
  private final int[] samples;
  private final int[] byCell;
  private final int[] firstCells;

  private BatchTurns(TokenRewards batch) {
    this.batch = batch;
    Layout layout = batch.layout();
    byCell = new int[layout.size()];
    Arrays.fill(byCell, -1);
    IntStream.Builder owners = IntStream.builder();
    IntStream.Builder firsts = IntStream.builder();
    int turn = -1;
    for (int i = 0; i < batch.samples(); i++) {
      int number = -1;
      for (int t : layout.policyTokens(i)) {
        if (layout.turns()[t] != number) {
          number = layout.turns()[t];
          turn++;
          owners.add(i);
          firsts.add(t);
        }
        byCell[t] = turn;
      }
    }
    samples = owners.build().toArray();
    firstCells = firsts.build().toArray();
  }

  /** Returns the turns of the samples in {@code batch}. */
  public static BatchTurns of(TokenRewards batch) {
    return new BatchTurns(batch);
  }

  /** Returns the sample of each turn. */
  public int[] samples() {
    return samples;
  }

  /** Returns the number of each turn in a token column, at its first token. */
  public int[] take(int[] column) {
    return Arrays.stream(firstCells).map(t -> column[t]).toArray();
  }

  /** Returns the sum of the rewards of each turn's tokens. */
  public double[] rewards() {
    double[] sums = new double[samples.length];
    for (int k = 0; k < sums.length; k++) {
      double sum = 0;
      int end = k + 1 < sums.length ? firstCells[k + 1] : byCell.length;
      for (int t = firstCells[k]; t < end; t++) {
        sum += byCell[t] < 0 ? 0 : batch.rewards()[t];
      }
      sums[k] = sum;
    }
    return sums;
  }

  /** Returns the return of each turn of a trajectory: {@code G_k = r_k + discount · G_{k+1}}. */
  public double[] rewardsToGo(double discount) {
    double[] toGo = rewards();
    int[] order = inOrder();
    for (int k = order.length - 2; k >= 0; k--) {
      if (trajectory(order[k]) == trajectory(order[k + 1])) {
        toGo[order[k]] += discount * toGo[order[k + 1]];
      }
    }
    return toGo;
  }

  /** Returns for each sample the sum of the rewards of its trajectory. */
  public double[] outcomes() {
    double[] sums = batch.outcomes();
    int[] trajectories = batch.columns().find(Batch.TRAJECTORIES);
    if (trajectories == null) {
      return sums;
    }
    double[] byTrajectory = new double[Arrays.stream(trajectories).max().orElse(-1) + 1];
    for (int i = 0; i < sums.length; i++) {
      byTrajectory[trajectories[i]] += sums[i];
    }
    return Arrays.stream(trajectories).mapToDouble(i -> byTrajectory[i]).toArray();
  }

  /** Returns the number of each turn on all of its tokens; 0 for all other tokens. */
  public double[] spread(double[] byTurn) {
    return batch.layout().column(t -> byTurn[byCell[t]]);
  }

  /** Returns the turns sorted by trajectory and time. */
  private int[] inOrder() {
    IntStream all = IntStream.range(0, samples.length);
    if (!batch.columns().has(Batch.TRAJECTORIES)) {
      return all.toArray();
    }
    int[] steps = batch.column(Batch.STEPS);
    return all.boxed()
        .sorted(
            Comparator.<Integer>comparingInt(this::trajectory)
                .thenComparingInt(k -> steps[samples[k]]))
        .mapToInt(k -> k)
        .toArray();
  }

  private int trajectory(int turn) {
    int[] trajectories = batch.columns().find(Batch.TRAJECTORIES);
    return trajectories == null ? samples[turn] : trajectories[samples[turn]];
  }
}
