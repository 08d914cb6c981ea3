package roll.openai.dialect;

import roll.api.strategy.Generator;
import roll.openai.request.GenerationSpec;

/**
 * A call that a model answers.
 *
 * @param spec what is generated
 * @param generator generates it
 */
public record ChatJob(GenerationSpec spec, Generator generator) {}
