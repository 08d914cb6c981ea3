package roll.api.rollout;

import roll.api.model.Tokenizer;
import roll.api.strategy.Sampling;

/**
 * The policy of an episode with its chat format and sampling settings.
 *
 * @param chat chat format of its model
 * @param tokenizer of its model
 * @param policy generates the responses
 * @param sampling sampling settings
 * @param sequenceLength maximum number of tokens of the trajectory
 */
public record ModelContext(
    ChatFormat chat, Tokenizer tokenizer, Policy policy, Sampling sampling, int sequenceLength) {}
