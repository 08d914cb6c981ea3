package roll.api.strategy;

import java.util.List;

/**
 * One response to generate.
 *
 * @param prompt token ids, at least one
 * @param sampling how tokens are drawn
 * @param stopTokens ids that end the response; the one that did is its last token
 * @param seed of this request's random stream: the result does not depend on what else is generated
 */
public record GenerationRequest(
    int[] prompt, Sampling sampling, List<Integer> stopTokens, long seed) {}
