package roll.cluster.inference.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import roll.api.image.Picture;
import roll.api.option.UserException;
import roll.api.strategy.GenerationRequest;
import roll.api.strategy.Sampling;
import roll.cluster.services.codec.RecordCodec;

/** Pictures of a call travel once, in as many messages as it takes. */
class CallPicturesTest {
  private record Part(List<Picture> pictures) {}

  /** Session, call and pictures, as a message has them. */
  private static final RecordCodec CALL = RecordCodec.of(long.class, long.class, Part.class);

  private static Picture picture(int size) {
    byte[] data = new byte[size];
    data[0] = (byte) size;
    return Picture.of(data);
  }

  private static CallPictures shown(Picture... pictures) {
    GenerationRequest request =
        new GenerationRequest(new int[] {1}, Sampling.of(1), List.of(), 0)
            .withPictures(List.of(pictures));
    return CallPictures.of(List.of(request, request));
  }

  @Test
  void partsFitIntoMessagesOfTheirSize() {
    List<Picture> pictures =
        IntStream.of(300, 200, 340, 60, 500).mapToObj(CallPicturesTest::picture).toList();
    List<List<Picture>> parts = shown(pictures.toArray(Picture[]::new)).parts(600);
    assertEquals(List.of(2, 2, 1), parts.stream().map(List::size).toList());
    assertEquals(pictures, parts.stream().flatMap(List::stream).toList());
    for (List<Picture> part : parts) {
      int bytes = CALL.write(0L, 0L, new Part(part)).length;
      assertTrue(bytes <= 600, () -> bytes + " bytes");
    }
  }

  @Test
  void aPictureThatFitsIntoNoMessageIsRefused() {
    Picture large = picture(700);
    UserException refused =
        assertThrows(UserException.class, () -> shown(picture(3), large).parts(600));
    assertEquals(
        "picture %s has 700 B: to other nodes travel at most 532 B".formatted(large),
        refused.getMessage());
  }

  @Test
  void numbersAreThoseOfThePicturesThatCame() {
    Picture one = picture(1);
    Picture two = picture(2);
    CallPictures call = shown(one, two, one);
    assertEquals(List.of(List.of(one, two)), call.parts());
    int[] numbers = call.numbers(List.of(two, one, two));
    assertEquals(List.of(two, one, two), CallPictures.numbered(numbers, List.of(one, two)));
    assertThrows(
        IllegalArgumentException.class, () -> CallPictures.numbered(numbers, List.of(one)));
  }
}
