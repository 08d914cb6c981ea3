package roll.api.loss;

import java.util.List;
import java.util.Set;
import roll.api.data.Column;
import roll.api.option.Option;

/**
 * Description of a loss, for humans and the pipeline.
 *
 * @param summary one phrase, for a list
 * @param formula one or more lines
 * @param paper where it comes from
 * @param needs columns of {@link LossInput#columns()} that it cannot do without
 * @param reads which of {@link #PG_CLIP}, {@link #DUAL_CLIP_LOSS} and {@link #RATIO_TYPE} matter; a
 *     key of the run that nothing reads is pointed out
 * @param options what {@code pg_variant_args} may say
 */
public record LossInfo(
    String summary,
    String formula,
    String paper,
    Set<Column<?>> needs,
    Set<String> reads,
    List<Option<?>> options) {
  /** Key of the bounds of the ratio, whichever of the keys for them is used. */
  public static final String PG_CLIP = "pg_clip";

  /** Key of the bound of the loss for negative advantages. */
  public static final String DUAL_CLIP_LOSS = "dual_clip_loss";

  /** Key of over what the ratio is taken. */
  public static final String RATIO_TYPE = "ratio_type";

  /** Of a loss without needs and options. */
  public static LossInfo of(String summary, String formula, String paper) {
    return new LossInfo(summary, formula, paper, Set.of(), Set.of(), List.of());
  }

  /** This, of a loss that reads these keys of the run. */
  public LossInfo reading(String... keys) {
    return new LossInfo(summary, formula, paper, needs, Set.of(keys), options);
  }

  /** This, with other options. */
  public LossInfo withOptions(Option<?>... all) {
    return new LossInfo(summary, formula, paper, needs, reads, List.of(all));
  }

  /** This, of a loss that surveys each optimizer batch. */
  public LossInfo withSurvey() {
    return new LossInfo(summary, formula, paper, Set.of(LossInput.SURVEY), reads, options);
  }

  /** Whether each optimizer batch is given to {@link PolicyLoss#survey} first. */
  public boolean surveys() {
    return needs.contains(LossInput.SURVEY);
  }
}
