package roll.api.env;

import java.util.List;
import roll.api.data.Message;
import roll.api.data.Message.InlinePicture;
import roll.api.image.Picture;

/**
 * An observation: text, pictures, or both.
 *
 * @param text may be empty
 * @param pictures in the order of their offsets in the text
 * @param before earlier messages of the conversation, such as the system message and turns of a
 *     dataset row; used only for the first observation of an episode
 */
public record Observation(String text, List<InlinePicture> pictures, List<Message> before) {
  /**
   * Checks the offsets.
   *
   * @throws IllegalArgumentException if an offset is outside of the text or less than the one
   *     before
   */
  public Observation {
    pictures = new Message("user", text, null, pictures).pictures();
    before = List.copyOf(before);
  }

  /** An observation without earlier messages. */
  public Observation(String text, List<InlinePicture> pictures) {
    this(text, pictures, List.of());
  }

  /** Creates an observation with text and no pictures. */
  public static Observation of(String text) {
    return new Observation(text, List.of());
  }

  /** Returns this observation with earlier messages before it. */
  public Observation behind(List<Message> messages) {
    return new Observation(text, pictures, messages);
  }

  /** Returns the pictures of the observation in order. */
  public List<Picture> shown() {
    return pictures.stream().map(InlinePicture::picture).toList();
  }
}
