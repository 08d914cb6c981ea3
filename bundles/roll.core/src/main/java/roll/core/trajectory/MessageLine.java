package roll.core.trajectory;

import com.google.gson.JsonParseException;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import roll.api.data.Message;
import roll.api.data.Message.InlinePicture;

/**
 * A message as it is in the lines of trajectory files.
 *
 * @param role as in the message
 * @param content as in the message
 * @param tool as in the message; null is left out
 * @param pictures null where there are none
 */
record MessageLine(
    @Nullable String role,
    @Nullable String content,
    @Nullable String tool,
    @Nullable List<Place> pictures) {
  /**
   * A picture in a message of a trajectory file.
   *
   * @param at number of characters of the content before it
   * @param file its file beside the lines
   */
  record Place(int at, @Nullable String file) {}

  /** Returns {@code message} as the lines of trajectories have it. */
  static MessageLine of(Message message) {
    List<Place> pictures =
        message.pictures().stream()
            .map(placed -> new Place(placed.at(), PictureFiles.name(placed.picture())))
            .toList();
    return new MessageLine(
        message.role(), message.content(), message.tool(), pictures.isEmpty() ? null : pictures);
  }

  /**
   * Converts a line's message back to a message.
   *
   * @throws JsonParseException if something is missing or wrong
   */
  Message message(PictureFiles files) {
    if (role == null || content == null) {
      throw new JsonParseException("a message without role or content");
    }
    List<Place> places = Objects.requireNonNullElse(pictures, List.of());
    try {
      return new Message(
          role, content, tool, places.stream().map(place -> placed(place, files)).toList());
    } catch (IllegalArgumentException e) { // outside of the text
      throw new JsonParseException(String.valueOf(e.getMessage()), e);
    }
  }

  private static InlinePicture placed(@Nullable Place place, PictureFiles files) {
    if (place == null || place.file() == null) {
      throw new JsonParseException("a picture of a message without its file");
    }
    return new InlinePicture(place.at(), files.read(place.file()));
  }
}
