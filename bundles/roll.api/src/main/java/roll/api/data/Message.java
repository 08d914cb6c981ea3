package roll.api.data;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.osgi.annotation.versioning.ProviderType;
import roll.api.image.Picture;

/**
 * One message of a conversation.
 *
 * @param role {@code system}, {@code user}, {@code assistant} or {@code tool}
 * @param content its complete text
 * @param tool name of the tool that returned it, or null
 * @param pictures its pictures, in the order of their offsets
 */
public record Message(
    String role, String content, @Nullable String tool, List<InlinePicture> pictures) {
  /**
   * Checks the offsets.
   *
   * @throws IllegalArgumentException if an offset is outside of the text or less than the one
   *     before
   */
  public Message {
    pictures = List.copyOf(pictures);
    int last = 0;
    for (InlinePicture picture : pictures) {
      if (picture.at() < last || picture.at() > content.length()) {
        throw new IllegalArgumentException(
            "picture at offset %d of %d characters, after one at %d"
                .formatted(picture.at(), content.length(), last));
      }
      last = picture.at();
    }
  }

  /** Creates a message without pictures. */
  public Message(String role, String content, @Nullable String tool) {
    this(role, content, tool, List.of());
  }

  /** A message without pictures that is not a tool result. */
  public Message(String role, String content) {
    this(role, content, null);
  }

  /**
   * A picture in a message.
   *
   * @param at number of characters before it
   * @param picture the picture
   */
  public record InlinePicture(int at, Picture picture) {}

  /** A piece of a message, in order: a text or a picture. */
  @ProviderType
  public sealed interface Part {
    /** Text part of a message; not empty. */
    record Text(String text) implements Part {}

    /** Picture part of a message. */
    record Shown(Picture picture) implements Part {}
  }

  /** Returns this message with {@code shown} before its text. */
  public Message showing(Picture shown) {
    List<InlinePicture> more = new ArrayList<>(List.of(new InlinePicture(0, shown)));
    more.addAll(pictures);
    return new Message(role, content, tool, more);
  }

  /** The texts and pictures in order; empty if the message has neither. */
  public List<Part> parts() {
    List<Part> parts = new ArrayList<>();
    int from = 0;
    for (InlinePicture placed : pictures) {
      if (placed.at() > from) {
        parts.add(new Part.Text(content.substring(from, placed.at())));
      }
      parts.add(new Part.Shown(placed.picture()));
      from = placed.at();
    }
    if (from < content.length()) {
      parts.add(new Part.Text(content.substring(from)));
    }
    return List.copyOf(parts);
  }

  /** The pictures of {@code messages} in order. */
  public static List<Picture> pictures(List<Message> messages) {
    return messages.stream()
        .flatMap(message -> message.pictures.stream().map(InlinePicture::picture))
        .toList();
  }
}
