package roll.api.strategy;

import java.util.List;
import java.util.stream.IntStream;
import roll.api.data.RandomStreams;

/**
 * One response to generate.
 *
 * @param prompt token ids, at least one
 * @param sampling how tokens are drawn
 * @param stopTokens ids that end the response; the one that did is its last token
 * @param seed of this request's random stream: the result does not depend on what else is generated
 */
public record GenerationRequest(
    int[] prompt, Sampling sampling, List<Integer> stopTokens, long seed) {
  /**
   * Requests for {@code count} responses to the same prompt, each with a stream of its own: this
   * one, and others that depend on their number alone.
   */
  public List<GenerationRequest> sequences(int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> i == 0 ? this : withSeed(RandomStreams.seed(seed, "sequence", i)))
        .toList();
  }

  private GenerationRequest withSeed(long other) {
    return new GenerationRequest(prompt, sampling, stopTokens, other);
  }
}
