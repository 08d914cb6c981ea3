package roll.api.strategy;

import java.util.List;
import java.util.stream.IntStream;
import roll.api.data.RandomStreams;
import roll.api.image.Picture;

/**
 * Request for one response of a model: prompt, sampling settings and pictures.
 *
 * @param prompt token ids, at least one
 * @param sampling sampling settings
 * @param stopTokens ids that end the response; a stop token is the last token of the response
 * @param seed seed of this request's random stream: the result does not depend on other requests
 * @param cacheSalt at least 0; the prefix cache is shared only between requests with the same salt,
 *     as with {@code cache_salt} of vLLM
 * @param pictures pictures in the order of their image tokens in the prompt
 */
public record GenerationRequest(
    int[] prompt,
    Sampling sampling,
    List<Integer> stopTokens,
    long seed,
    long cacheSalt,
    List<Picture> pictures) {
  /**
   * Checks the salt.
   *
   * @throws IllegalArgumentException if the salt is negative
   */
  public GenerationRequest {
    if (cacheSalt < 0) {
      throw new IllegalArgumentException("the salt is negative: " + cacheSalt);
    }
    pictures = List.copyOf(pictures);
  }

  /** A request with salt 0 and no pictures. */
  public GenerationRequest(int[] prompt, Sampling sampling, List<Integer> stopTokens, long seed) {
    this(prompt, sampling, stopTokens, seed, 0, List.of());
  }

  /**
   * Returns requests for {@code count} responses to the same prompt, each with its own random
   * stream: this request, and others whose seeds are derived from their number.
   */
  public List<GenerationRequest> sequences(int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> i == 0 ? this : withSeed(RandomStreams.seed(seed, "sequence", i)))
        .toList();
  }

  /** Returns this request with another cache salt. */
  public GenerationRequest withCacheSalt(long salt) {
    return new GenerationRequest(prompt, sampling, stopTokens, seed, salt, pictures);
  }

  /** Returns this generation request with pictures. */
  public GenerationRequest withPictures(List<Picture> shown) {
    return new GenerationRequest(prompt, sampling, stopTokens, seed, cacheSalt, shown);
  }

  private GenerationRequest withSeed(long other) {
    return new GenerationRequest(prompt, sampling, stopTokens, other, cacheSalt, pictures);
  }
}
