package roll.api.data;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import roll.api.image.Picture;

/**
 * Columns over many samples, jagged as described by the layout. Immutable: {@code with} methods
 * return a new batch that shares the other columns. Arrays must not be modified after they were
 * added.
 *
 * <p>Columns per token are aligned with the tokens: the log-prob at position {@code t} is that of
 * token {@code t} given those before it. Cells of tokens the policy did not write are undefined and
 * never read.
 *
 * @param layout of the tokens
 * @param tokens all token ids
 * @param columns further data per token or per sample
 */
public record Batch(Layout layout, int[] tokens, ColumnMap columns) {
  /** Token column: log-probs at sampling time. */
  public static final ColumnKey<double[]> BEHAVIOR_LOG_PROBS =
      ColumnKey.ofTokens("behavior_log_probs");

  /** Token column: log-probs before this step's updates. */
  public static final ColumnKey<double[]> OLD_LOG_PROBS = ColumnKey.ofTokens("old_log_probs");

  /** Token column: entropies before this step's updates. */
  public static final ColumnKey<double[]> ENTROPIES = ColumnKey.ofTokens("entropies");

  /** Token column: log-probs of the reference policy. */
  public static final ColumnKey<double[]> REFERENCE_LOG_PROBS = ColumnKey.ofTokens("ref_log_probs");

  /**
   * Token column: KL divergence of the policy's distribution over the vocabulary from the
   * reference's, in nats; present if {@code kl_penalty} is {@code full}.
   */
  public static final ColumnKey<double[]> DIVERGENCES = ColumnKey.ofTokens("divergences");

  /** Token column: values of the critic. */
  public static final ColumnKey<double[]> VALUES = ColumnKey.ofTokens("values");

  /**
   * Token column: sum of the squared probabilities over the vocabulary, before this step's updates.
   */
  public static final ColumnKey<double[]> SUM_PI_SQUARED = ColumnKey.ofTokens("sum_pi_squared");

  /** Token column: rewards by token. */
  public static final ColumnKey<double[]> TOKEN_REWARDS = ColumnKey.ofTokens("token_level_rewards");

  /** Token column: advantages used in training. */
  public static final ColumnKey<double[]> ADVANTAGES = ColumnKey.ofTokens("advantages");

  /** Token column: advantages before whitening and clipping. */
  public static final ColumnKey<double[]> RAW_ADVANTAGES = ColumnKey.ofTokens("raw_advantages");

  /** Token column with the returns. */
  public static final ColumnKey<double[]> RETURNS = ColumnKey.ofTokens("returns");

  /**
   * Token column: the environment's reward of a turn on the turn's last policy token, otherwise 0.
   */
  public static final ColumnKey<double[]> TURN_REWARDS = ColumnKey.ofTokens("turn_rewards");

  /**
   * Token column: number of the state in which the token's turn was taken; equal only for equal
   * observations of one group.
   */
  public static final ColumnKey<int[]> STATES = ColumnKey.intsOfTokens("states");

  /** Sample column: number of the trajectory, if a sample is one step of it. */
  public static final ColumnKey<int[]> TRAJECTORIES = ColumnKey.intsOfSamples("trajectories");

  /** Sample column: step number in the trajectory, if a sample is one step of it. */
  public static final ColumnKey<int[]> STEPS = ColumnKey.intsOfSamples("steps");

  /** Sample column: score of the greedy policy on the same prompt. */
  public static final ColumnKey<double[]> REWARD_BASELINES =
      ColumnKey.ofSamples("reward_baselines");

  /** Sample column: sum of the environment's rewards. */
  public static final ColumnKey<double[]> SCORES = ColumnKey.ofSamples("scores");

  /** Sample column: normalized and clipped reward. */
  public static final ColumnKey<double[]> RESPONSE_REWARDS =
      ColumnKey.ofSamples("response_level_rewards");

  /** Sample column: pictures of each sample; missing if there are none. */
  public static final ColumnKey<List<List<Picture>>> PICTURES = ColumnKey.pictures("pictures");

  /** Label: name of the custom environment. */
  public static final ColumnKey<List<String>> TAGS = ColumnKey.labels("tags");

  /** Label: name of the trajectory's group. */
  public static final ColumnKey<List<String>> GROUP_IDS = ColumnKey.labels("traj_group_id");

  /** Label: number of the environment's group, over all its episodes. */
  public static final ColumnKey<List<String>> ENV_GROUPS = ColumnKey.labels("group_ids");

  /** Label: number of the environment in its group, over all its episodes. */
  public static final ColumnKey<List<String>> ENVS = ColumnKey.labels("env_ids");

  /** Label: name of the trajectory. */
  public static final ColumnKey<List<String>> TRAJECTORY_IDS = ColumnKey.labels("traj_id");

  /**
   * Creates a batch whose tokens fit the layout.
   *
   * @throws IllegalArgumentException if they do not
   */
  public Batch {
    check("of tokens", tokens.length, layout.size());
  }

  /**
   * Creates a batch without columns.
   *
   * @param offsets first token of each sample and, last, the number of tokens
   * @param tokens all token ids
   * @param turns turn of each token, −1 where the policy did not write it
   */
  public static Batch of(int[] offsets, int[] tokens, int[] turns) {
    return new Batch(Layout.of(offsets, turns), tokens, ColumnMap.NONE);
  }

  /** Number of samples of the batch. */
  public int samples() {
    return layout.samples();
  }

  /** Number of tokens of all samples. */
  public int size() {
    return tokens.length;
  }

  /**
   * Returns the column {@code key} of the batch.
   *
   * @throws NullPointerException if there is none
   */
  public <T> T column(ColumnKey<T> key) {
    return columns.get(key);
  }

  /** Returns the column {@code key} of the batch, or null. */
  public <T> @Nullable T columnOrNull(ColumnKey<T> key) {
    return columns.find(key);
  }

  /**
   * Returns this batch with a column added or replaced.
   *
   * @throws IllegalArgumentException if it does not have one cell per token, or per sample
   */
  public <T> Batch withColumn(ColumnKey<T> key, T column) {
    int found =
        switch (column) {
          case double[] numbers -> numbers.length;
          case int[] numbers -> numbers.length;
          case List<?> labels -> labels.size();
          default -> -1;
        };
    check(key.name(), found, key.perToken() ? size() : samples());
    return new Batch(layout, tokens, columns.with(key, column));
  }

  /** Returns this batch with the tokens that are not {@code kept} removed from the mask. */
  public Batch keeping(boolean[] kept) {
    check("of kept tokens", kept.length, tokens.length);
    return new Batch(layout.keeping(kept), tokens, columns);
  }

  /** The samples {@code chosen}, in that order, with all columns. */
  public Batch select(int[] chosen) {
    int[] some = Arrays.stream(layout.positions(chosen)).map(t -> tokens[t]).toArray();
    return new Batch(layout.select(chosen), some, columns.select(layout, chosen));
  }

  private static void check(String name, int found, int expected) {
    if (found != expected) {
      throw new IllegalArgumentException(
          "column " + name + " has " + found + " cells, not " + expected);
    }
  }
}
