package roll.cluster.services.codec;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.awt.image.BufferedImage;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import roll.api.option.RawOptions;

/** Whatever comes is read or refused in one way, at once and without more memory than it has. */
@Tag("hostile")
@Timeout(60)
class RecordFuzzTest {
  private static final int EACH = 5_000;
  private static final RecordCodec CODEC = RecordCodec.of(SampleValues.All.class);

  private final Random random = new Random(3);

  @Test
  void mutatedMessagesAreReadOrRefused() {
    int refused = 0;
    for (int i = 0; i < EACH; i++) {
      byte[] mutated = mutated(CODEC.write(SampleValues.all(random)));
      try {
        var unused = CODEC.read(mutated);
      } catch (MalformedMessageException e) {
        refused++;
        assertTrue(e.getMessage() != null && !e.getMessage().isBlank());
      }
    }
    assertTrue(refused > EACH / 2, refused + " were refused");
  }

  private byte[] mutated(byte[] bytes) {
    switch (random.nextInt(4)) {
      case 0 -> bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
      case 1 -> {
        return Arrays.copyOf(bytes, random.nextInt(bytes.length));
      }
      case 2 -> { // most likely somewhere in a count
        int[] odd = {-1, Integer.MAX_VALUE, Integer.MIN_VALUE, 1 << 28, 1 << 20};
        ByteBuffer.wrap(bytes)
            .putInt(random.nextInt(bytes.length - 3), odd[random.nextInt(odd.length)]);
      }
      default -> {
        byte[] longer = Arrays.copyOf(bytes, bytes.length + 1 + random.nextInt(9));
        for (int i = 0; i < 3; i++) {
          longer[random.nextInt(longer.length)] ^= (byte) (1 << random.nextInt(8));
        }
        return longer;
      }
    }
    return bytes;
  }

  @Test
  void mutatedPicturesAreReadOrRefused() {
    RecordCodec pictures = RecordCodec.of(BufferedImage.class);
    byte[] whole = pictures.write(new BufferedImage(9, 9, BufferedImage.TYPE_INT_RGB));
    int refused = 0;
    for (int i = 0; i < EACH; i++) {
      try {
        var unused = pictures.read(mutated(whole.clone()));
      } catch (MalformedMessageException e) {
        refused++;
      }
    }
    assertTrue(refused > EACH / 2, refused + " were refused");
  }

  @Test
  void everyBeginningIsRefused() {
    byte[] message = CODEC.write(SampleValues.all(random));
    for (int length = 0; length < message.length; length++) {
      byte[] cut = Arrays.copyOf(message, length);
      assertThrows(MalformedMessageException.class, () -> CODEC.read(cut));
    }
  }

  /** A list within a list within a list …, deeper than a thread's stack. */
  @Test
  void deepOptionsAreRefused() {
    ByteWriter out = new ByteWriter(null).bool(true).text("OPTIONS").text("here");
    out.text("MAP").int32(1).text("key");
    for (int i = 0; i < 200_000; i++) {
      out.text("LIST").int32(1);
    }
    RecordCodec options = RecordCodec.of(RawOptions.class);
    MalformedMessageException e =
        assertThrows(MalformedMessageException.class, () -> options.read(out.toBytes()));
    assertTrue(String.valueOf(e.getMessage()).contains("nested deeper than 32"), e.getMessage());
  }
}
