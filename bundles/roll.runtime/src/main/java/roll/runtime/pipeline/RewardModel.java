package roll.runtime.pipeline;

import org.jspecify.annotations.Nullable;
import roll.api.model.Tokenizer;
import roll.api.scoring.SequenceScorer;
import roll.api.strategy.Generator;
import roll.api.strategy.Sampling;

/**
 * A frozen model that rewards may use: one that writes, or one that scores by a head.
 *
 * @param template chat format
 * @param tokenizer of the model
 * @param generator generates its answers; null where it scores
 * @param sampling sampling parameters of the answers; null where it scores
 * @param sequenceLength most tokens of question and answer together, or of what is scored
 * @param scorer scores conversations; null where it writes
 */
public record RewardModel(
    String template,
    Tokenizer tokenizer,
    @Nullable Generator generator,
    @Nullable Sampling sampling,
    int sequenceLength,
    @Nullable SequenceScorer scorer) {
  /** A model that writes. */
  public RewardModel(
      String template,
      Tokenizer tokenizer,
      Generator generator,
      Sampling sampling,
      int sequenceLength) {
    this(template, tokenizer, generator, sampling, sequenceLength, null);
  }

  /** A model that scores by a head. */
  public static RewardModel scoring(
      String template, Tokenizer tokenizer, SequenceScorer scorer, int sequenceLength) {
    return new RewardModel(template, tokenizer, null, null, sequenceLength, scorer);
  }
}
