package roll.runtime.pipeline;

import roll.api.model.Tokenizer;
import roll.api.strategy.Generator;

/**
 * The policy of a rollout, and what its prompts are written with.
 *
 * @param template chat format
 * @param tokenizer of the policy's model
 * @param generator who writes the responses
 * @param sequenceLength most tokens of a trajectory; {@link Integer#MAX_VALUE} where nothing limits
 *     them
 */
public record PolicyModel(
    String template, Tokenizer tokenizer, Generator generator, int sequenceLength) {}
