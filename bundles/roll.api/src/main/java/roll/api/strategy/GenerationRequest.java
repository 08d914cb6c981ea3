package roll.api.strategy;

import java.util.List;
import java.util.stream.IntStream;
import roll.api.data.RandomStreams;
import roll.api.image.Picture;

/**
 * One response to generate.
 *
 * @param prompt token ids, at least one
 * @param sampling how tokens are drawn
 * @param stopTokens ids that end the response; the one that did is its last token
 * @param seed of this request's random stream: the result does not depend on what else is generated
 * @param cacheSalt from 0 up: of what earlier requests left in a cache of prompts, only that of
 *     requests with the same salt is used, as with {@code cache_salt} of vLLM
 * @param pictures what the model sees, in the order of their places in the prompt
 */
public record GenerationRequest(
    int[] prompt,
    Sampling sampling,
    List<Integer> stopTokens,
    long seed,
    long cacheSalt,
    List<Picture> pictures) {
  /**
   * A request.
   *
   * @throws IllegalArgumentException if the salt is negative
   */
  public GenerationRequest {
    if (cacheSalt < 0) {
      throw new IllegalArgumentException("the salt is negative: " + cacheSalt);
    }
    pictures = List.copyOf(pictures);
  }

  /** A request that shares the cache with all that have no salt of their own, which is 0. */
  public GenerationRequest(int[] prompt, Sampling sampling, List<Integer> stopTokens, long seed) {
    this(prompt, sampling, stopTokens, seed, 0, List.of());
  }

  /**
   * Requests for {@code count} responses to the same prompt, each with a stream of its own: this
   * one, and others that depend on their number alone.
   */
  public List<GenerationRequest> sequences(int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> i == 0 ? this : withSeed(RandomStreams.seed(seed, "sequence", i)))
        .toList();
  }

  /** The same request with another salt. */
  public GenerationRequest withCacheSalt(long salt) {
    return new GenerationRequest(prompt, sampling, stopTokens, seed, salt, pictures);
  }

  /** The same request that shows {@code shown}. */
  public GenerationRequest withPictures(List<Picture> shown) {
    return new GenerationRequest(prompt, sampling, stopTokens, seed, cacheSalt, shown);
  }

  private GenerationRequest withSeed(long other) {
    return new GenerationRequest(prompt, sampling, stopTokens, other, cacheSalt, pictures);
  }
}
