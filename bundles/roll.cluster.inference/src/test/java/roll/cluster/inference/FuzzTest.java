package roll.cluster.inference;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import roll.api.data.RandomStreams;
import roll.cluster.services.codec.MalformedMessageException;

/** Whatever comes is read or refused in one way, at once and without more memory than it has. */
@Tag("hostile")
@Timeout(60)
class FuzzTest {
  private static final int EACH = 2_000;

  @Test
  void mutatedMessagesAreReadOrRefused() {
    for (SampleMessages.Message message : SampleMessages.all()) {
      int refused = 0;
      for (int i = 0; i < EACH; i++) {
        byte[] mutated = mutated(message.bytes(), RandomStreams.of(i, message.name()));
        try {
          var unused = message.again().apply(mutated);
        } catch (MalformedMessageException e) {
          refused++;
          assertTrue(e.getMessage() != null && !e.getMessage().isBlank());
        }
      }
      assertTrue(refused > EACH / 4, message.name() + ": " + refused + " were refused");
    }
  }

  private static byte[] mutated(byte[] message, RandomGenerator random) {
    byte[] bytes = message.clone();
    switch (random.nextInt(4)) {
      case 0 -> bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
      case 1 -> bytes = Arrays.copyOf(bytes, random.nextInt(bytes.length));
      case 2 -> { // most likely somewhere in a count
        int[] odd = {-1, Integer.MAX_VALUE, Integer.MIN_VALUE, 1 << 28, 1 << 20};
        ByteBuffer.wrap(bytes)
            .putInt(random.nextInt(bytes.length - 3), odd[random.nextInt(odd.length)]);
      }
      default -> {
        bytes = Arrays.copyOf(bytes, bytes.length + 1 + random.nextInt(9));
        for (int i = 0; i < 3; i++) {
          bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
        }
      }
    }
    return bytes;
  }

  @Test
  void everyBeginningIsRefused() {
    for (SampleMessages.Message message : SampleMessages.all()) {
      for (int length = 0; length < message.bytes().length; length++) {
        byte[] cut = Arrays.copyOf(message.bytes(), length);
        assertThrows(MalformedMessageException.class, () -> message.again().apply(cut));
      }
    }
  }

  @Test
  void anotherVersionIsNamed() {
    SampleMessages.Message message = SampleMessages.all().getFirst();
    byte[] other = message.bytes().clone();
    other[0] = 9;
    MalformedMessageException e =
        assertThrows(MalformedMessageException.class, () -> message.again().apply(other));
    assertEquals("a message has version 9 (supported: 1)", e.getMessage());
  }
}
