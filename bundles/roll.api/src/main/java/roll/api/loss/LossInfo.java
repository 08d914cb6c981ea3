package roll.api.loss;

import java.util.List;
import java.util.Set;
import roll.api.data.ColumnKey;
import roll.api.option.Option;

/**
 * Description of a loss for users and the pipeline.
 *
 * @param summary one phrase, for a list
 * @param formula one or more lines
 * @param paper its source
 * @param needs required columns of {@link LossInput#columns()}
 * @param reads which of {@link #PG_CLIP}, {@link #DUAL_CLIP_LOSS} and {@link #RATIO_TYPE} it uses;
 *     the run warns about unused keys
 * @param options options of {@code pg_variant_args}
 */
public record LossInfo(
    String summary,
    String formula,
    String paper,
    Set<ColumnKey<?>> needs,
    Set<String> reads,
    List<Option<?>> options) {
  /** Key of the clip range of the ratio, for all keys that set it. */
  public static final String PG_CLIP = "pg_clip";

  /** Key of the loss bound for negative advantages. */
  public static final String DUAL_CLIP_LOSS = "dual_clip_loss";

  /** Key of the level of the ratio. */
  public static final String RATIO_TYPE = "ratio_type";

  /** Describes a loss without needs and options. */
  public static LossInfo of(String summary, String formula, String paper) {
    return new LossInfo(summary, formula, paper, Set.of(), Set.of(), List.of());
  }

  /** Returns this description of a loss that reads the given keys of the run. */
  public LossInfo reading(String... keys) {
    return new LossInfo(summary, formula, paper, needs, Set.of(keys), options);
  }

  /** Returns this loss info with other options. */
  public LossInfo withOptions(Option<?>... all) {
    return new LossInfo(summary, formula, paper, needs, reads, List.of(all));
  }

  /** Returns this description of a loss that computes statistics over each optimizer batch. */
  public LossInfo withSurvey() {
    return new LossInfo(summary, formula, paper, Set.of(LossInput.SURVEY), reads, options);
  }

  /** Whether {@link PolicyLoss#survey} is called first for each optimizer batch. */
  public boolean surveys() {
    return needs.contains(LossInput.SURVEY);
  }
}
