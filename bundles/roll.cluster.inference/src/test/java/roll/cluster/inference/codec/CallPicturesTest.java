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
import roll.cluster.services.codec.ByteReader;
import roll.cluster.services.codec.ByteWriter;
import roll.cluster.services.codec.MalformedMessageException;

/** Pictures of a call travel once, in as many messages as it takes. */
class CallPicturesTest {
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
      int session = 16;
      int bytes = new ByteWriter().of(part, CallPictures::writePart).toBytes().length + session;
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
    assertEquals(List.of(one, two), call.all());
    byte[] numbers = new ByteWriter().of(List.of(two, one, two), call::write).toBytes();
    assertEquals(
        List.of(two, one, two),
        ByteReader.read(numbers, in -> CallPictures.read(in, List.of(one, two))));
    assertThrows(
        MalformedMessageException.class,
        () -> ByteReader.read(numbers, in -> CallPictures.read(in, List.of(one))));
  }
}
