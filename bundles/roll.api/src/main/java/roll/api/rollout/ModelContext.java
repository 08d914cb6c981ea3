package roll.api.rollout;

import roll.api.model.Tokenizer;
import roll.api.strategy.Sampling;

/**
 * The policy of an episode, and how it is spoken to.
 *
 * @param chat chat format of its model
 * @param tokenizer of its model
 * @param policy who writes the responses
 * @param sampling how responses are drawn
 * @param sequenceLength most tokens of the trajectory
 */
public record ModelContext(
    ChatFormat chat, Tokenizer tokenizer, Policy policy, Sampling sampling, int sequenceLength) {}
