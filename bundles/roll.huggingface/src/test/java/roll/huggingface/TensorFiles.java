package roll.huggingface;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static roll.testkit.UserErrors.userError;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;

/** Shared helpers of tests with safetensors files. */
final class TensorFiles {
  private TensorFiles() {}

  /** A tensor of f32 in memory. */
  static StoredTensor tensor(String name, List<Long> shape, float... values) {
    ByteBuffer bytes = ByteBuffer.allocateDirect(4 * values.length).order(ByteOrder.LITTLE_ENDIAN);
    for (float value : values) {
      bytes.putFloat(value);
    }
    return new StoredTensor(name, TensorFormat.F32, shape, MemorySegment.ofBuffer(bytes.flip()));
  }

  /** The numbers of {@code tensor}. */
  static float[] floats(StoredTensor tensor) {
    float[] values = new float[(int) tensor.size()];
    tensor.readFloats(0, MemorySegment.ofArray(values));
    return values;
  }

  interface Attempt {
    Object run() throws IOException;
  }

  /** {@code attempt} is refused with one line that has {@code part} in it. */
  static void assertLine(Attempt attempt, String part) {
    String message = userError(attempt::run);
    assertTrue(message.contains(part), message);
    assertTrue(message.lines().count() == 1, message);
  }
}
