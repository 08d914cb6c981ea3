package roll.api.estimator;

import java.util.List;
import java.util.Set;
import roll.api.data.ColumnKey;
import roll.api.option.Option;

/**
 * Description of an estimator for users and the pipeline.
 *
 * @param summary one phrase, for a list
 * @param formula one or more lines
 * @param paper its source
 * @param whitens whether its advantages are whitened by default, see {@code whiten_advantages}
 * @param needs keys of {@link roll.api.data.Batch} for the columns it reads beside the rewards
 * @param reads {@link #GAMMA} and {@link #LAMBDA} if it uses them; the run warns about unused keys
 * @param options options of {@code adv_estimator_args}
 * @param example a small batch for documentation
 */
public record EstimatorInfo(
    String summary,
    String formula,
    String paper,
    boolean whitens,
    Set<ColumnKey<?>> needs,
    Set<String> reads,
    List<Option<?>> options,
    TokenRewards example) {
  /** Key of the discount by token, {@link TokenRewards#gamma()}. */
  public static final String GAMMA = "gamma";

  /** Key of the decay of generalized advantage estimation, {@link TokenRewards#lambda()}. */
  public static final String LAMBDA = "lambd";

  /**
   * Describes an estimator without whitening, needs, discounts, and options. The example is a group
   * of two samples: one with two turns and reward 1, one with a single turn and reward 0.
   */
  public static EstimatorInfo of(String summary, String formula, String paper) {
    TokenRewards example =
        TokenRewards.of(
            new double[][] {{0, 0, 0, 1}, {0, 0, 0}}, new int[][] {{1, 0, 1, 1}, {1, 1, 1}});
    return new EstimatorInfo(
        summary, formula, paper, false, Set.of(), Set.of(), List.of(), example);
  }

  /** Returns this estimator info with whitening. */
  public EstimatorInfo whitened() {
    return new EstimatorInfo(summary, formula, paper, true, needs, reads, options, example);
  }

  /** Returns this estimator info with other required columns. */
  public EstimatorInfo withNeeds(ColumnKey<?>... columns) {
    return new EstimatorInfo(
        summary, formula, paper, whitens, Set.of(columns), reads, options, example);
  }

  /** Returns this info of an estimator that reads these keys of the run: gamma, lambd. */
  public EstimatorInfo reading(String... keys) {
    return new EstimatorInfo(
        summary, formula, paper, whitens, needs, Set.of(keys), options, example);
  }

  /** Returns this estimator info with other options. */
  public EstimatorInfo withOptions(Option<?>... all) {
    return new EstimatorInfo(summary, formula, paper, whitens, needs, reads, List.of(all), example);
  }

  /** Returns this info with another example. */
  public EstimatorInfo withExample(TokenRewards other) {
    return new EstimatorInfo(summary, formula, paper, whitens, needs, reads, options, other);
  }
}
