package roll.api.data;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.Test;
import roll.api.data.Message.InlinePicture;
import roll.api.data.Message.Part;
import roll.api.image.Picture;

class MessageTest {
  private static final Picture ONE = Picture.of(new byte[] {1});
  private static final Picture TWO = Picture.of(new byte[] {2});

  @Test
  void partsStandWhereTheyWerePlaced() {
    Message message = message("ab", new InlinePicture(1, ONE), new InlinePicture(2, TWO));
    assertEquals(
        List.of(new Part.Text("a"), new Part.Shown(ONE), new Part.Text("b"), new Part.Shown(TWO)),
        message.parts());
    assertEquals(
        List.of(new Part.Shown(TWO), new Part.Text("hi")),
        new Message("user", "hi").showing(TWO).parts());
    assertEquals(List.of(), new Message("user", "").parts());
    assertEquals(
        List.of(ONE, TWO, TWO),
        Message.pictures(List.of(message, new Message("user", "").showing(TWO))));
  }

  @Test
  void picturesStandInTheTextAndInOrder() {
    assertThrows(IllegalArgumentException.class, () -> message("ab", new InlinePicture(3, ONE)));
    assertThrows(IllegalArgumentException.class, () -> message("ab", new InlinePicture(-1, ONE)));
    assertThrows(
        IllegalArgumentException.class,
        () -> message("ab", new InlinePicture(2, ONE), new InlinePicture(1, TWO)));
  }

  private static Message message(String text, InlinePicture... pictures) {
    return new Message("user", text, null, List.of(pictures));
  }
}
