package roll.api.env;

import java.util.List;
import roll.api.data.Message;
import roll.api.data.Message.PlacedPicture;
import roll.api.image.Picture;

/**
 * What an agent sees: a text, a picture, or both.
 *
 * @param text may be empty
 * @param pictures in the order of their places in the text
 */
public record Observation(String text, List<PlacedPicture> pictures) {
  /**
   * An observation.
   *
   * @throws IllegalArgumentException if a picture stands outside of the text, or before another
   *     that it follows
   */
  public Observation {
    pictures = new Message("user", text, null, pictures).pictures();
  }

  /** A text alone. */
  public static Observation of(String text) {
    return new Observation(text, List.of());
  }

  /** What is shown, in order. */
  public List<Picture> shown() {
    return pictures.stream().map(PlacedPicture::picture).toList();
  }
}
