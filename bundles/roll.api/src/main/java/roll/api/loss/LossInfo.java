package roll.api.loss;

import java.util.List;
import java.util.Set;
import roll.api.config.OptionInfo;

/**
 * What people and the pipeline should know of a loss.
 *
 * @param summary one phrase, for a list
 * @param formula one or more lines
 * @param paper where it comes from
 * @param needs columns of {@link LossInput#columns()} that it cannot do without
 * @param options what {@code pg_variant_args} may say
 */
public record LossInfo(
    String summary, String formula, String paper, Set<String> needs, List<OptionInfo> options) {
  /** Of a loss without needs and options. */
  public static LossInfo of(String summary, String formula, String paper) {
    return new LossInfo(summary, formula, paper, Set.of(), List.of());
  }

  /** This, with other options. */
  public LossInfo withOptions(OptionInfo... all) {
    return new LossInfo(summary, formula, paper, needs, List.of(all));
  }

  /** This, of a loss that surveys each optimizer batch. */
  public LossInfo withSurvey() {
    return new LossInfo(summary, formula, paper, Set.of(LossInput.SURVEY), options);
  }

  /** Whether each optimizer batch is given to {@link PolicyLoss#survey} first. */
  public boolean surveys() {
    return needs.contains(LossInput.SURVEY);
  }
}
