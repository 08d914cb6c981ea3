package roll.runtime.pipeline;

import java.util.Map;
import roll.api.config.WorkerConfig;
import roll.api.model.Tokenizer;
import roll.api.strategy.Generator;

/**
 * The policy of a rollout and the chat format of its prompts.
 *
 * @param template chat format
 * @param tokenizer of the policy's model
 * @param generator generates the responses
 * @param sequenceLength most tokens of a trajectory; {@link Integer#MAX_VALUE} if unlimited
 * @param chatTemplateKwargs what a chat template sees beside the messages
 */
public record PolicyModel(
    String template,
    Tokenizer tokenizer,
    Generator generator,
    int sequenceLength,
    Map<String, Object> chatTemplateKwargs) {
  /** Creates a policy model whose chat template sees {@link WorkerConfig#CHAT_TEMPLATE_KWARGS}. */
  public PolicyModel(
      String template, Tokenizer tokenizer, Generator generator, int sequenceLength) {
    this(template, tokenizer, generator, sequenceLength, WorkerConfig.CHAT_TEMPLATE_KWARGS);
  }
}
