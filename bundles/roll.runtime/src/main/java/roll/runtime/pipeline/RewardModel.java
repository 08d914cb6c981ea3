package roll.runtime.pipeline;

import roll.api.model.Tokenizer;
import roll.api.strategy.Generator;
import roll.api.strategy.Sampling;

/**
 * A frozen model that rewards may use.
 *
 * @param template chat format
 * @param tokenizer of the model
 * @param generator generates its answers
 * @param sampling sampling parameters of the answers
 * @param sequenceLength most tokens of question and answer together
 */
public record RewardModel(
    String template,
    Tokenizer tokenizer,
    Generator generator,
    Sampling sampling,
    int sequenceLength) {}
