package roll.runtime.pipeline;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import roll.api.config.WorkerConfig;
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
 * @param chatTemplateKwargs what a chat template sees beside the messages
 */
public record RewardModel(
    String template,
    Tokenizer tokenizer,
    @Nullable Generator generator,
    @Nullable Sampling sampling,
    int sequenceLength,
    @Nullable SequenceScorer scorer,
    Map<String, Object> chatTemplateKwargs) {
  /** Creates a reward model whose chat template sees {@link WorkerConfig#CHAT_TEMPLATE_KWARGS}. */
  public RewardModel(
      String template,
      Tokenizer tokenizer,
      @Nullable Generator generator,
      @Nullable Sampling sampling,
      int sequenceLength,
      @Nullable SequenceScorer scorer) {
    this(
        template,
        tokenizer,
        generator,
        sampling,
        sequenceLength,
        scorer,
        WorkerConfig.CHAT_TEMPLATE_KWARGS);
  }

  /** Returns the same reward model with a chat template that sees {@code kwargs}. */
  public RewardModel withChatTemplateKwargs(Map<String, Object> kwargs) {
    return new RewardModel(
        template, tokenizer, generator, sampling, sequenceLength, scorer, kwargs);
  }

  /** Creates a reward model that generates text. */
  public RewardModel(
      String template,
      Tokenizer tokenizer,
      Generator generator,
      Sampling sampling,
      int sequenceLength) {
    this(template, tokenizer, generator, sampling, sequenceLength, null);
  }

  /** Creates a reward model that scores by a head. */
  public static RewardModel scoring(
      String template, Tokenizer tokenizer, SequenceScorer scorer, int sequenceLength) {
    return new RewardModel(template, tokenizer, null, null, sequenceLength, scorer);
  }
}
