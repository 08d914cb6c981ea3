package roll.api.rollout;

import org.osgi.annotation.versioning.ConsumerType;
import roll.api.image.ImageSize;
import roll.api.model.Tokenizer;
import roll.api.strategy.Generation;
import roll.api.strategy.Sampling;

/** Generates the policy's response of one turn. */
@ConsumerType
@FunctionalInterface
public interface Policy {
  /**
   * Generates the response to {@code prompt}; blocks until it is complete.
   *
   * @param prompt the complete prompt
   * @param sampling sampling settings
   * @param turn number of the turn, from 0
   */
  Generation respond(Prompt prompt, Sampling sampling, int turn) throws InterruptedException;

  /** Whether the policy accepts pictures; a text model does not. */
  default boolean seesPictures() {
    return false;
  }

  /**
   * The size of a picture of this size after resizing by its image processor; the policy's
   * coordinates refer to it. By default pictures are not resized.
   */
  default ImageSize seen(ImageSize picture) {
    return picture;
  }

  /**
   * The text of the latest response: its decoded tokens, unless the policy produced text directly.
   *
   * @param tokenizer of the rollout
   * @param special whether special tokens are included
   */
  default String text(Generation response, Tokenizer tokenizer, boolean special) {
    return tokenizer.decode(response.tokens(), special);
  }
}
