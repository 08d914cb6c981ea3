package roll.batching;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import roll.api.data.Batch;
import roll.api.data.Layout;
import roll.api.data.Sequence;
import roll.api.data.Trajectory;

/** Converts trajectories into a {@link Batch}: each of their sequences is a sample. */
public final class TrajectoryBatch {
  private final List<Trajectory> owners = new ArrayList<>();
  private final List<Sequence> sequences = new ArrayList<>();
  private final double[] scores;
  private final int[] trajectories;
  private final int[] steps;
  private final boolean several;

  private TrajectoryBatch(List<Trajectory> played) {
    int count = played.stream().mapToInt(t -> t.sequences().size()).sum();
    scores = new double[count];
    trajectories = new int[count];
    steps = new int[count];
    several = played.stream().anyMatch(t -> t.sequences().size() > 1);
    for (int i = 0; i < played.size(); i++) {
      Trajectory trajectory = played.get(i);
      for (int k = 0; k < trajectory.sequences().size(); k++) {
        scores[owners.size()] = trajectory.score(k);
        trajectories[owners.size()] = i;
        steps[owners.size()] = k;
        owners.add(trajectory);
        sequences.add(trajectory.sequences().get(k));
      }
    }
  }

  /**
   * Returns the sequences of {@code played}, one sample each, with scores, labels and behavior
   * log-probs; if a trajectory has several, also with {@link Batch#TRAJECTORIES} and {@link
   * Batch#STEPS}.
   */
  public static Batch of(List<Trajectory> played) {
    TrajectoryBatch samples = new TrajectoryBatch(played);
    Batch batch = samples.seen(samples.tokens().withColumn(Batch.SCORES, samples.scores));
    return samples.several
        ? batch
            .withColumn(Batch.TRAJECTORIES, samples.trajectories)
            .withColumn(Batch.STEPS, samples.steps)
        : batch;
  }

  private Batch tokens() {
    int[] offsets = new int[sequences.size() + 1];
    for (int i = 0; i < sequences.size(); i++) {
      offsets[i + 1] = offsets[i] + sequences.get(i).tokens().length;
    }
    int[] tokens = new int[offsets[sequences.size()]];
    int[] turns = new int[tokens.length];
    double[] logProbs = new double[tokens.length];
    for (int i = 0; i < sequences.size(); i++) {
      Sequence sequence = sequences.get(i);
      int length = sequence.tokens().length;
      System.arraycopy(sequence.tokens(), 0, tokens, offsets[i], length);
      System.arraycopy(sequence.turns(), 0, turns, offsets[i], length);
      System.arraycopy(sequence.logProbs(), 0, logProbs, offsets[i], length);
    }
    return Batch.of(offsets, tokens, turns)
        .withColumn(Batch.BEHAVIOR_LOG_PROBS, logProbs)
        .withColumn(Batch.TAGS, labels(Trajectory::tag))
        .withColumn(Batch.GROUP_IDS, labels(Trajectory::groupId))
        .withColumn(Batch.ENV_GROUPS, labels(t -> t.tag() + "_" + t.key().group()))
        .withColumn(
            Batch.ENVS, labels(t -> t.tag() + "_" + t.key().group() + "_" + t.key().member()))
        .withColumn(Batch.TRAJECTORY_IDS, labels(Trajectory::id));
  }

  /** Returns {@code batch} with the pictures of its samples, if any. */
  private Batch seen(Batch batch) {
    return sequences.stream().allMatch(sequence -> sequence.pictures().isEmpty())
        ? batch
        : batch.withColumn(Batch.PICTURES, sequences.stream().map(Sequence::pictures).toList());
  }

  private List<String> labels(Function<Trajectory, String> name) {
    return owners.stream().map(name).toList();
  }

  /**
   * Returns {@code batch}, whose samples are those of {@code played}, with {@link
   * Batch#TURN_REWARDS} and {@link Batch#STATES}. The reward of a turn without tokens is added to
   * the previous turn.
   */
  public static Batch withTurns(Batch batch, List<Trajectory> played) {
    double[] rewards = new double[batch.size()];
    int[] states = new int[batch.size()];
    Layout layout = batch.layout();
    Map<List<Object>, Integer> numbers = new LinkedHashMap<>();
    int end = batch.samples();
    for (int i = played.size() - 1; i >= 0; i--) {
      Trajectory trajectory = played.get(i);
      int first = end - trajectory.sequences().size();
      int turn = trajectory.rewards().length - 1;
      for (int t = layout.offsets()[end] - 1; t >= layout.offsets()[first]; t--) {
        if (!layout.mask()[t]) {
          continue;
        }
        for (; turn >= layout.turns()[t]; turn--) {
          rewards[t] += trajectory.rewards()[turn];
        }
        List<Object> state = List.of(trajectory.groupId(), trajectory.states()[layout.turns()[t]]);
        states[t] = numbers.computeIfAbsent(state, key -> numbers.size());
      }
      end = first;
    }
    return batch.withColumn(Batch.TURN_REWARDS, rewards).withColumn(Batch.STATES, states);
  }
}
