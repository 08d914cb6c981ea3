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
public record Batch(Layout layout, int[] tokens, Columns columns) {
  /** Token column: log-probs at sampling time. */
  public static final Column<double[]> BEHAVIOR_LOG_PROBS = Column.ofTokens("behavior_log_probs");

  /** Token column: log-probs before this step's updates. */
  public static final Column<double[]> OLD_LOG_PROBS = Column.ofTokens("old_log_probs");

  /** Token column: entropies before this step's updates. */
  public static final Column<double[]> ENTROPIES = Column.ofTokens("entropies");

  /** Token column: log-probs of the reference policy. */
  public static final Column<double[]> REFERENCE_LOG_PROBS = Column.ofTokens("ref_log_probs");

  /**
   * Token column: KL divergence of the policy's distribution over the vocabulary from the
   * reference's, in nats; present if {@code kl_penalty} is {@code full}.
   */
  public static final Column<double[]> DIVERGENCES = Column.ofTokens("divergences");

  /** Token column: values of the critic. */
  public static final Column<double[]> VALUES = Column.ofTokens("values");

  /**
   * Token column: sum of the squared probabilities over the vocabulary, before this step's updates.
   */
  public static final Column<double[]> SUM_PI_SQUARED = Column.ofTokens("sum_pi_squared");

  /** Token column: rewards by token. */
  public static final Column<double[]> TOKEN_REWARDS = Column.ofTokens("token_level_rewards");

  /** Token column: advantages used in training. */
  public static final Column<double[]> ADVANTAGES = Column.ofTokens("advantages");

  /** Token column: advantages before whitening and clipping. */
  public static final Column<double[]> RAW_ADVANTAGES = Column.ofTokens("raw_advantages");

  /** Token column: returns. */
  public static final Column<double[]> RETURNS = Column.ofTokens("returns");

  /**
   * Token column: the environment's reward of a turn on the turn's last policy token, otherwise 0.
   */
  public static final Column<double[]> TURN_REWARDS = Column.ofTokens("turn_rewards");

  /**
   * Token column: number of the state in which the token's turn was taken; equal only for equal
   * observations of one group.
   */
  public static final Column<int[]> STATES = Column.intsOfTokens("states");

  /** Sample column: number of the trajectory, if a sample is one step of it. */
  public static final Column<int[]> TRAJECTORIES = Column.intsOfSamples("trajectories");

  /** Sample column: step number in the trajectory, if a sample is one step of it. */
  public static final Column<int[]> STEPS = Column.intsOfSamples("steps");

  /** Sample column: score of the greedy policy on the same prompt. */
  public static final Column<double[]> REWARD_BASELINES = Column.ofSamples("reward_baselines");

  /** Sample column: sum of the environment's rewards. */
  public static final Column<double[]> SCORES = Column.ofSamples("scores");

  /** Sample column: normalized and clipped reward. */
  public static final Column<double[]> RESPONSE_REWARDS =
      Column.ofSamples("response_level_rewards");

  /** Sample column: pictures of each sample; missing if there are none. */
  public static final Column<List<List<Picture>>> PICTURES = Column.pictures("pictures");

  /** Label: name of the custom environment. */
  public static final Column<List<String>> TAGS = Column.labels("tags");

  /** Label: name of the trajectory's group. */
  public static final Column<List<String>> GROUP_IDS = Column.labels("traj_group_id");

  /** Label: number of the environment's group, over all its episodes. */
  public static final Column<List<String>> ENV_GROUPS = Column.labels("group_ids");

  /** Label: number of the environment in its group, over all its episodes. */
  public static final Column<List<String>> ENVS = Column.labels("env_ids");

  /** Label: name of the trajectory. */
  public static final Column<List<String>> TRAJECTORY_IDS = Column.labels("traj_id");

  /**
   * A batch whose tokens fit the layout.
   *
   * @throws IllegalArgumentException if they do not
   */
  public Batch {
    check("of tokens", tokens.length, layout.size());
  }

  /**
   * A batch without columns.
   *
   * @param offsets first token of each sample and, last, the number of tokens
   * @param tokens all token ids
   * @param turns turn of each token, −1 where the policy did not write it
   */
  public static Batch of(int[] offsets, int[] tokens, int[] turns) {
    return new Batch(Layout.of(offsets, turns), tokens, Columns.NONE);
  }

  /** Number of samples. */
  public int samples() {
    return layout.samples();
  }

  /** Number of tokens of all samples. */
  public int size() {
    return tokens.length;
  }

  /**
   * The column {@code key}.
   *
   * @throws NullPointerException if there is none
   */
  public <T> T column(Column<T> key) {
    return columns.get(key);
  }

  /** The column {@code key}, or null. */
  public <T> @Nullable T columnOrNull(Column<T> key) {
    return columns.find(key);
  }

  /**
   * Returns this batch with a column added or replaced.
   *
   * @throws IllegalArgumentException if it does not have one cell per token, or per sample
   */
  public <T> Batch withColumn(Column<T> key, T column) {
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
