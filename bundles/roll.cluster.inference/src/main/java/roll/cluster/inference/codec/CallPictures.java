package roll.cluster.inference.codec;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import roll.api.image.Picture;
import roll.api.option.UserException;
import roll.api.strategy.GenerationRequest;
import roll.api.strategy.TokenBatch;
import roll.cluster.Membership;
import roll.cluster.services.codec.ByteReader;
import roll.cluster.services.codec.ByteWriter;
import roll.cluster.services.codec.MalformedMessageException;
import roll.text.ByteSize;

/**
 * The pictures of a call, each once however often it is shown: the call names them by their
 * numbers. They may be too much for one message.
 */
public final class CallPictures {
  /** Bytes of a message beside its pictures. */
  private static final int HEAD = 64;

  /** Bytes of a picture beside itself. */
  private static final int COUNT = Integer.BYTES;

  private final Map<Picture, Integer> numbers = new LinkedHashMap<>();

  private CallPictures(Stream<Picture> shown) {
    shown.forEach(picture -> numbers.putIfAbsent(picture, numbers.size()));
  }

  /** Those of {@code requests}. */
  public static CallPictures of(List<GenerationRequest> requests) {
    return new CallPictures(requests.stream().flatMap(request -> request.pictures().stream()));
  }

  /** Those of {@code batch}. */
  public static CallPictures of(TokenBatch batch) {
    return new CallPictures(batch.pictures().stream().flatMap(List::stream));
  }

  /** All of them, by number. */
  List<Picture> all() {
    return List.copyOf(numbers.keySet());
  }

  /** The same in parts, each of which fits into a message. */
  public List<List<Picture>> parts() {
    return parts(Membership.MOST_BYTES);
  }

  /**
   * The same with messages of at most {@code most} bytes.
   *
   * @throws UserException if a picture fits into none
   */
  List<List<Picture>> parts(int most) {
    List<List<Picture>> parts = new ArrayList<>();
    long room = 0;
    for (Picture picture : numbers.keySet()) {
      long size = COUNT + (long) picture.size();
      if (size > most - HEAD) {
        throw new UserException(
            "picture %s has %s: to other nodes travel at most %s"
                .formatted(picture, ByteSize.of(picture.size()), ByteSize.of(most - HEAD - COUNT)));
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

  /** Some of them, whole. */
  public static void writePart(ByteWriter out, List<Picture> part) {
    out.list(part, PictureCodec::write);
  }

  /** As {@link #writePart} wrote them. */
  public static List<Picture> readPart(ByteReader in) {
    return in.list(PictureCodec::picture);
  }

  /** The numbers of {@code shown}. */
  void write(ByteWriter out, List<Picture> shown) {
    out.list(shown, (to, picture) -> to.int32(numbers.getOrDefault(picture, -1)));
  }

  /**
   * As {@link #write} wrote them.
   *
   * @param all what the numbers are of
   */
  static List<Picture> read(ByteReader in, List<Picture> all) {
    return in.list(
        from -> {
          int number = from.int32();
          if (number < 0 || number >= all.size()) {
            throw new MalformedMessageException(
                "picture %d is shown, where %d came".formatted(number, all.size()));
          }
          return all.get(number);
        });
  }
}
