package roll.api.rollout;

import org.osgi.annotation.versioning.ConsumerType;
import roll.api.image.ImageSize;
import roll.api.model.Tokenizer;
import roll.api.strategy.Generation;
import roll.api.strategy.Sampling;

/** Writes the response of one turn. */
@ConsumerType
@FunctionalInterface
public interface Policy {
  /**
   * The response to {@code prompt}; blocks until it is there.
   *
   * @param prompt everything the model sees
   * @param sampling how the response is drawn
   * @param turn number of the turn, from 0
   */
  Generation respond(Prompt prompt, Sampling sampling, int turn) throws InterruptedException;

  /** Whether it can act in worlds that show pictures; a text model cannot. */
  default boolean seesPictures() {
    return false;
  }

  /**
   * The size in which it sees a picture of this size; places that it says are of this one. A model
   * sees what its image processor makes of the picture; by default pictures are seen as they are.
   */
  default ImageSize seen(ImageSize picture) {
    return picture;
  }

  /**
   * The text of the latest response: that of its tokens, unless the policy wrote text.
   *
   * @param tokenizer of the rollout
   * @param special whether special tokens are written out
   */
  default String text(Generation response, Tokenizer tokenizer, boolean special) {
    return tokenizer.decode(response.tokens(), special);
  }
}
