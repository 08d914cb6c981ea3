package roll.cluster.services.codec;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import roll.api.image.Picture;
import roll.api.option.UserException;

/** Pictures are sent ahead of a message, each once, in as many messages as it takes. */
class MessagePicturesTest {
  private static final RecordCodec CALL = RecordCodec.of(long.class, Picture[].class);

  private static Picture picture(int size) {
    byte[] data = new byte[size];
    data[0] = (byte) size;
    return Picture.of(data);
  }

  private static MessagePictures of(List<Picture> pictures) {
    MessagePictures all = new MessagePictures();
    pictures.forEach(all::number);
    pictures.forEach(all::number);
    return all;
  }

  @Test
  void partsFitIntoMessagesOfTheirSize() {
    List<Picture> pictures =
        IntStream.of(300, 200, 340, 60, 500).mapToObj(MessagePicturesTest::picture).toList();
    List<List<Picture>> parts = of(pictures).parts(600);
    assertEquals(List.of(2, 2, 1), parts.stream().map(List::size).toList());
    assertEquals(pictures, parts.stream().flatMap(List::stream).toList());
    for (List<Picture> part : parts) {
      int bytes = CALL.write(0L, part.toArray(Picture[]::new)).length;
      assertTrue(bytes <= 600, () -> bytes + " bytes");
    }
  }

  @Test
  void aPictureThatFitsIntoNoMessageIsRefused() {
    Picture large = picture(700);
    UserException refused =
        assertThrows(UserException.class, () -> of(List.of(picture(3), large)).parts(600));
    assertEquals(
        "picture %s has 700 B (at most 532 B can be sent to other nodes)".formatted(large),
        refused.getMessage());
  }

  @Test
  void aMessageRefersToPicturesByNumber() {
    Picture[] shown = {picture(2), picture(1), picture(2)};
    MessagePictures pictures = new MessagePictures();
    byte[] message = CALL.write(pictures, new Object[] {7L, shown});
    List<Picture> sent = pictures.parts().getFirst();
    assertEquals(List.of(shown[0], shown[1]), sent);
    assertArrayEquals(
        shown, (Picture[]) CALL.read(message, number -> number == 7 ? sent : null)[1]);
    assertThrows(
        MalformedMessageException.class, () -> CALL.read(message, _ -> List.of(picture(2))));
    assertThrows(MalformedMessageException.class, () -> CALL.read(message, number -> null));
  }
}
