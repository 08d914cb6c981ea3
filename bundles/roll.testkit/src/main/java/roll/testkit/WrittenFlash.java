package roll.testkit;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/** Flash attention in plain operators, for tests of the kernel texts for cards on processors. */
public final class WrittenFlash {
  private WrittenFlash() {}

  /** Returns the TorchScript source of the function {@code flash}. */
  public static String source() {
    try (InputStream stream = WrittenFlash.class.getResourceAsStream("written_flash.py")) {
      return new String(Objects.requireNonNull(stream).readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }
}
