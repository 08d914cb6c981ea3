package roll.runtime.pipeline;

import roll.api.model.Tokenizer;
import roll.api.strategy.Generator;

/**
 * The policy of a rollout and the chat format of its prompts.
 *
 * @param template chat format
 * @param tokenizer of the policy's model
 * @param generator generates the responses
 * @param sequenceLength most tokens of a trajectory; {@link Integer#MAX_VALUE} if unlimited
 */
public record PolicyModel(
    String template, Tokenizer tokenizer, Generator generator, int sequenceLength) {}
