package roll.api.env;

import java.util.List;
import roll.api.data.Message;
import roll.api.data.Message.InlinePicture;
import roll.api.image.Picture;

/**
 * What an agent sees: a text, a picture, or both.
 *
 * @param text may be empty
 * @param pictures in the order of their places in the text
 * @param before messages of the conversation that this text continues, such as a system message and
 *     earlier turns of a data set's row; only those before the first observation of an episode are
 *     shown
 */
public record Observation(String text, List<InlinePicture> pictures, List<Message> before) {
  /**
   * An observation.
   *
   * @throws IllegalArgumentException if a picture stands outside of the text, or before another
   *     that it follows
   */
  public Observation {
    pictures = new Message("user", text, null, pictures).pictures();
    before = List.copyOf(before);
  }

  /** An observation that continues no conversation. */
  public Observation(String text, List<InlinePicture> pictures) {
    this(text, pictures, List.of());
  }

  /** A text alone. */
  public static Observation of(String text) {
    return new Observation(text, List.of());
  }

  /** The same where {@code messages} were said before. */
  public Observation behind(List<Message> messages) {
    return new Observation(text, pictures, messages);
  }

  /** What is shown, in order. */
  public List<Picture> shown() {
    return pictures.stream().map(InlinePicture::picture).toList();
  }
}
