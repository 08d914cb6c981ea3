package roll.api.data;

import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Columns over many samples, jagged: sample {@code i} owns the tokens {@code offsets[i]} to {@code
 * offsets[i + 1]} of every token column. Nothing is padded. A batch is never changed: {@code with}
 * methods give a new one that shares the other columns. Arrays must not be written after they were
 * put in.
 *
 * <p>Token columns are aligned with the tokens: the log-prob at position {@code t} is that of token
 * {@code t} given those before it. Cells the policy did not write are meaningless and never read.
 */
public final class Batch {
  /** Token column: log-probs at sampling time. */
  public static final String BEHAVIOUR_LOG_PROBS = "behaviour_log_probs";

  /** Token column: log-probs before this step's updates. */
  public static final String OLD_LOG_PROBS = "old_log_probs";

  /** Token column: entropies before this step's updates. */
  public static final String ENTROPIES = "entropies";

  /** Token column: log-probs of the reference policy. */
  public static final String REFERENCE_LOG_PROBS = "ref_log_probs";

  /** Token column: values of the critic. */
  public static final String VALUES = "values";

  /** Token column: sum of the squared probabilities of all words, before this step's updates. */
  public static final String SUM_PI_SQUARED = "sum_pi_squared";

  /** Token column: rewards by token. */
  public static final String TOKEN_REWARDS = "token_level_rewards";

  /** Token column: advantages as trained on. */
  public static final String ADVANTAGES = "advantages";

  /** Token column: advantages before whitening and clipping. */
  public static final String RAW_ADVANTAGES = "raw_advantages";

  /** Token column: returns. */
  public static final String RETURNS = "returns";

  /** Token column: the environment's reward of a turn on the turn's last policy token, else 0. */
  public static final String TURN_REWARDS = "turn_rewards";

  /**
   * Token column: number of the state in which the token's turn was taken; equal only for equal
   * observations of one group.
   */
  public static final String STATES = "states";

  /** Sample column: number of the trajectory, where a sample is one step of it. */
  public static final String TRAJECTORIES = "trajectories";

  /** Sample column: place in the trajectory, where a sample is one step of it. */
  public static final String STEPS = "steps";

  /** Sample column: what the greedy policy scores on the same prompt. */
  public static final String REWARD_BASELINES = "reward_baselines";

  /** Sample column: sum of the environment's rewards. */
  public static final String SCORES = "scores";

  /** Sample column: normalised and clipped reward. */
  public static final String RESPONSE_REWARDS = "response_level_rewards";

  /** Label: name of the custom environment. */
  public static final String TAGS = "tags";

  /** Label: name of the trajectory's group. */
  public static final String GROUP_IDS = "traj_group_id";

  /** Label: number of the environment's group, over all its episodes. */
  public static final String ENV_GROUPS = "group_ids";

  /** Label: number of the environment in its group, over all its episodes. */
  public static final String ENVS = "env_ids";

  /** Label: name of the trajectory. */
  public static final String TRAJECTORY_IDS = "traj_id";

  private final int[] offsets;
  private final int[] tokens;
  private final int[] turns;
  private final boolean[] mask;
  private final Map<String, double[]> tokenColumns;
  private final Map<String, double[]> sampleColumns;
  private final Map<String, List<String>> labels;

  private Batch(
      int[] offsets,
      int[] tokens,
      int[] turns,
      boolean[] mask,
      Map<String, double[]> tokenColumns,
      Map<String, double[]> sampleColumns,
      Map<String, List<String>> labels) {
    this.offsets = offsets;
    this.tokens = tokens;
    this.turns = turns;
    this.mask = mask;
    this.tokenColumns = tokenColumns;
    this.sampleColumns = sampleColumns;
    this.labels = labels;
  }

  /**
   * A batch without columns.
   *
   * @param offsets first token of each sample and, last, the number of tokens
   * @param tokens all token ids
   * @param turns turn of each token, −1 where the policy did not write it
   */
  public static Batch of(int[] offsets, int[] tokens, int[] turns) {
    if (offsets.length == 0
        || offsets[offsets.length - 1] != tokens.length
        || turns.length != tokens.length) {
      throw new IllegalArgumentException("offsets, tokens and turns do not fit together");
    }
    boolean[] mask = new boolean[turns.length];
    for (int t = 0; t < turns.length; t++) {
      mask[t] = turns[t] >= 0;
    }
    return new Batch(offsets, tokens, turns, mask, Map.of(), Map.of(), Map.of());
  }

  /** Number of samples. */
  public int samples() {
    return offsets.length - 1;
  }

  /** Number of tokens of all samples. */
  public int size() {
    return tokens.length;
  }

  /** First token of each sample and, last, the number of tokens. */
  public int[] offsets() {
    return offsets;
  }

  /** All token ids. */
  public int[] tokens() {
    return tokens;
  }

  /** Turn of each token, −1 where the policy did not write it. */
  public int[] turns() {
    return turns;
  }

  /** Which tokens the policy wrote. */
  public boolean[] mask() {
    return mask;
  }

  /** Whether the token column {@code name} exists. */
  public boolean hasTokens(String name) {
    return tokenColumns.containsKey(name);
  }

  /** The token column {@code name}; it is an error if there is none. */
  public double[] tokenColumn(String name) {
    return Objects.requireNonNull(tokenColumns.get(name), () -> "no token column " + name);
  }

  /**
   * Mean of the token column {@code name} over the tokens the policy wrote; 0 if there are none.
   */
  public double policyMean(String name) {
    double[] column = tokenColumn(name);
    double sum = 0;
    long count = 0;
    for (int t = 0; t < column.length; t++) {
      if (mask[t]) {
        sum += column[t];
        count++;
      }
    }
    return count == 0 ? 0 : sum / count;
  }

  /** The token column {@code name}, or null. */
  public double @Nullable [] tokenColumnOrNull(String name) {
    return tokenColumns.get(name);
  }

  /** The sample column {@code name}; it is an error if there is none. */
  public double[] sampleColumn(String name) {
    return Objects.requireNonNull(sampleColumns.get(name), () -> "no sample column " + name);
  }

  /** All token columns by name. */
  public Map<String, double[]> tokenColumns() {
    return Collections.unmodifiableMap(tokenColumns);
  }

  /** All sample columns by name. */
  public Map<String, double[]> sampleColumns() {
    return Collections.unmodifiableMap(sampleColumns);
  }

  /** All labels by name. */
  public Map<String, List<String>> labels() {
    return Collections.unmodifiableMap(labels);
  }

  /** The labels {@code name}, one a sample; it is an error if there are none. */
  public List<String> labels(String name) {
    return Objects.requireNonNull(labels.get(name), () -> "no labels " + name);
  }

  /** This batch where tokens that are not {@code kept} count as not written by the policy. */
  public Batch keeping(boolean[] kept) {
    check("of kept tokens", kept.length, tokens.length);
    int[] fewer = turns.clone();
    boolean[] less = mask.clone();
    for (int t = 0; t < kept.length; t++) {
      fewer[t] = kept[t] ? turns[t] : -1;
      less[t] &= kept[t];
    }
    return new Batch(offsets, tokens, fewer, less, tokenColumns, sampleColumns, labels);
  }

  /** This batch with one token column more, or replaced. */
  public Batch withTokens(String name, double[] column) {
    check(name, column.length, tokens.length);
    return new Batch(
        offsets, tokens, turns, mask, plus(tokenColumns, name, column), sampleColumns, labels);
  }

  /** This batch with one sample column more, or replaced. */
  public Batch withSamples(String name, double[] column) {
    check(name, column.length, samples());
    return new Batch(
        offsets, tokens, turns, mask, tokenColumns, plus(sampleColumns, name, column), labels);
  }

  /** This batch with one label column more, or replaced. */
  public Batch withLabels(String name, List<String> column) {
    check(name, column.size(), samples());
    return new Batch(
        offsets,
        tokens,
        turns,
        mask,
        tokenColumns,
        sampleColumns,
        plus(labels, name, List.copyOf(column)));
  }

  /** The samples {@code chosen}, in that order, with all columns. */
  public Batch select(int[] chosen) {
    int[] newOffsets = new int[chosen.length + 1];
    for (int i = 0; i < chosen.length; i++) {
      newOffsets[i + 1] = newOffsets[i] + offsets[chosen[i] + 1] - offsets[chosen[i]];
    }
    int total = newOffsets[chosen.length];
    int[] newTokens = new int[total];
    int[] newTurns = new int[total];
    for (int i = 0; i < chosen.length; i++) {
      int length = newOffsets[i + 1] - newOffsets[i];
      System.arraycopy(tokens, offsets[chosen[i]], newTokens, newOffsets[i], length);
      System.arraycopy(turns, offsets[chosen[i]], newTurns, newOffsets[i], length);
    }
    Batch batch = of(newOffsets, newTokens, newTurns);
    for (var column : tokenColumns.entrySet()) {
      batch = batch.withTokens(column.getKey(), gather(column.getValue(), chosen, newOffsets));
    }
    for (var column : sampleColumns.entrySet()) {
      double[] values = column.getValue();
      batch =
          batch.withSamples(
              column.getKey(), Arrays.stream(chosen).mapToDouble(i -> values[i]).toArray());
    }
    for (var column : labels.entrySet()) {
      batch =
          batch.withLabels(
              column.getKey(),
              Arrays.stream(chosen).mapToObj(i -> column.getValue().get(i)).toList());
    }
    return batch;
  }

  private double[] gather(double[] column, int[] chosen, int[] newOffsets) {
    double[] values = new double[newOffsets[chosen.length]];
    for (int i = 0; i < chosen.length; i++) {
      System.arraycopy(
          column, offsets[chosen[i]], values, newOffsets[i], newOffsets[i + 1] - newOffsets[i]);
    }
    return values;
  }

  private static <T> Map<String, T> plus(Map<String, T> columns, String name, T column) {
    Map<String, T> more = new LinkedHashMap<>(columns);
    more.put(name, column);
    return more;
  }

  private static void check(String name, int found, int expected) {
    if (found != expected) {
      throw new IllegalArgumentException(
          "column " + name + " has " + found + " cells, not " + expected);
    }
  }
}
