package roll.api.estimator;

import java.util.List;
import java.util.Set;
import roll.api.data.Column;
import roll.api.option.Option;

/**
 * Description of an estimator, for humans and the pipeline.
 *
 * @param summary one phrase, for a list
 * @param formula one or more lines
 * @param paper where it comes from
 * @param whitens whether its advantages are whitened unless {@code whiten_advantages} says
 *     otherwise
 * @param needs keys of the columns it reads beside the rewards, those of {@link
 *     roll.api.data.Batch}
 * @param reads {@link #GAMMA} and {@link #LAMBDA} if they matter; a key of the run that nothing
 *     reads is pointed out
 * @param options what {@code adv_estimator_args} may say
 * @param example a small batch whose result shows what it does
 */
public record EstimatorInfo(
    String summary,
    String formula,
    String paper,
    boolean whitens,
    Set<Column<?>> needs,
    Set<String> reads,
    List<Option<?>> options,
    TokenRewards example) {
  /** Key of the discount by token, {@link TokenRewards#gamma()}. */
  public static final String GAMMA = "gamma";

  /** Key of the decay of generalized advantage estimation, {@link TokenRewards#lambda()}. */
  public static final String LAMBDA = "lambd";

  /**
   * Of an estimator without whitening, needs and options, that reads no discount. Its example is a
   * group of two samples: one of two turns with reward 1, one of a single turn with reward 0.
   */
  public static EstimatorInfo of(String summary, String formula, String paper) {
    TokenRewards example =
        TokenRewards.of(
            new double[][] {{0, 0, 0, 1}, {0, 0, 0}}, new int[][] {{1, 0, 1, 1}, {1, 1, 1}});
    return new EstimatorInfo(
        summary, formula, paper, false, Set.of(), Set.of(), List.of(), example);
  }

  /** This, with whitened advantages. */
  public EstimatorInfo whitened() {
    return new EstimatorInfo(summary, formula, paper, true, needs, reads, options, example);
  }

  /** This, with other needs. */
  public EstimatorInfo withNeeds(Column<?>... columns) {
    return new EstimatorInfo(
        summary, formula, paper, whitens, Set.of(columns), reads, options, example);
  }

  /** This, of an estimator that reads these keys of the run: gamma, lambd. */
  public EstimatorInfo reading(String... keys) {
    return new EstimatorInfo(
        summary, formula, paper, whitens, needs, Set.of(keys), options, example);
  }

  /** This, with other options. */
  public EstimatorInfo withOptions(Option<?>... all) {
    return new EstimatorInfo(summary, formula, paper, whitens, needs, reads, List.of(all), example);
  }

  /** This, with another example. */
  public EstimatorInfo withExample(TokenRewards other) {
    return new EstimatorInfo(summary, formula, paper, whitens, needs, reads, options, other);
  }
}
