package roll.cluster.inference.codec;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.Stream;
import roll.api.image.Picture;
import roll.api.option.UserException;
import roll.api.strategy.GenerationRequest;
import roll.api.strategy.TokenBatch;
import roll.cluster.Membership;
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

  /** All of them by number, in parts, each of which fits into a message. */
  public List<List<Picture>> parts() {
    return parts(Membership.MAX_MESSAGE_BYTES);
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

  /**
   * Brings all of them, one message after the other.
   *
   * @param show sends some
   */
  public static CompletableFuture<Void> bring(
      List<List<Picture>> parts, Function<List<Picture>, CompletableFuture<?>> show) {
    return parts.isEmpty()
        ? CompletableFuture.completedFuture(null)
        : show.apply(parts.getFirst())
            .thenCompose(_ -> bring(parts.subList(1, parts.size()), show));
  }

  /** The numbers of {@code shown}. */
  public int[] numbers(List<Picture> shown) {
    return shown.stream().mapToInt(picture -> numbers.getOrDefault(picture, -1)).toArray();
  }

  /**
   * The pictures with these numbers.
   *
   * @param all what the numbers are of
   * @throws IllegalArgumentException if there is none of a number
   */
  public static List<Picture> numbered(int[] numbers, List<Picture> all) {
    return Arrays.stream(numbers)
        .mapToObj(
            number -> {
              if (number < 0 || number >= all.size()) {
                throw new IllegalArgumentException(
                    "picture %d is shown, where %d came".formatted(number, all.size()));
              }
              return all.get(number);
            })
        .toList();
  }
}
