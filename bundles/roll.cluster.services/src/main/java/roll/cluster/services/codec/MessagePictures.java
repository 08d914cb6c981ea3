package roll.cluster.services.codec;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import roll.api.image.Picture;
import roll.api.option.UserException;
import roll.cluster.Membership;
import roll.text.ByteSize;

/** Distinct pictures of a message, which refers to them by number. They are sent ahead of it. */
public final class MessagePictures {
  /** Number of bytes of a message without its pictures. */
  private static final int HEAD = 64;

  private final Map<Picture, Integer> numbers = new LinkedHashMap<>();

  int number(Picture picture) {
    return numbers.computeIfAbsent(picture, _ -> numbers.size());
  }

  /**
   * Returns all pictures in the order of their numbers, divided into parts of one message each.
   *
   * @throws UserException if a picture is too large for a message
   */
  public List<List<Picture>> parts() {
    return parts(Membership.MAX_MESSAGE_BYTES);
  }

  /**
   * Checks the size of all pictures.
   *
   * @throws UserException if a picture is too large for a message
   */
  public void requireSendable() {
    var unused = parts();
  }

  /** Like {@link #parts()}, with messages of at most {@code most} bytes. */
  List<List<Picture>> parts(int most) {
    List<List<Picture>> parts = new ArrayList<>();
    long room = 0;
    for (Picture picture : numbers.keySet()) {
      long size = Integer.BYTES + (long) picture.size();
      if (size > most - HEAD) {
        throw new UserException(
            "picture %s has %s (at most %s can be sent to other nodes)"
                .formatted(
                    picture,
                    ByteSize.of(picture.size()),
                    ByteSize.of(most - HEAD - Integer.BYTES)));
      }
      if (size > room) {
        parts.add(new ArrayList<>());
        room = (long) most - HEAD;
      }
      parts.getLast().add(picture);
      room -= size;
    }
    return parts;
  }
}
