package roll.api.estimator;

import java.util.List;
import java.util.Set;
import roll.api.config.OptionInfo;

/**
 * What people and the pipeline should know of an estimator.
 *
 * @param summary one phrase, for a list
 * @param formula one or more lines
 * @param paper where it comes from
 * @param whitens whether its advantages are whitened unless {@code whiten_advantages} says
 *     otherwise
 * @param needs columns it reads beside the rewards, named as in {@link roll.api.data.Batch}
 * @param options what {@code adv_estimator_args} may say
 * @param example a small batch whose result shows what it does
 */
public record EstimatorInfo(
    String summary,
    String formula,
    String paper,
    boolean whitens,
    Set<String> needs,
    List<OptionInfo> options,
    TokenRewards example) {
  /**
   * Of an estimator without whitening, needs and options. Its example is a group of two samples:
   * one of two turns with reward 1, one of a single turn with reward 0.
   */
  public static EstimatorInfo of(String summary, String formula, String paper) {
    TokenRewards example =
        TokenRewards.of(
            new double[][] {{0, 0, 0, 1}, {0, 0, 0}}, new int[][] {{1, 0, 1, 1}, {1, 1, 1}});
    return new EstimatorInfo(summary, formula, paper, false, Set.of(), List.of(), example);
  }

  /** This, with whitened advantages. */
  public EstimatorInfo whitened() {
    return new EstimatorInfo(summary, formula, paper, true, needs, options, example);
  }

  /** This, with other needs. */
  public EstimatorInfo withNeeds(String... columns) {
    return new EstimatorInfo(summary, formula, paper, whitens, Set.of(columns), options, example);
  }

  /** This, with other options. */
  public EstimatorInfo withOptions(OptionInfo... all) {
    return new EstimatorInfo(summary, formula, paper, whitens, needs, List.of(all), example);
  }

  /** This, with another example. */
  public EstimatorInfo withExample(TokenRewards other) {
    return new EstimatorInfo(summary, formula, paper, whitens, needs, options, other);
  }
}
