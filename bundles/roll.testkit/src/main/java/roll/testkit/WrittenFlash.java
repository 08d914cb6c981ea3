package roll.testkit;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/** Operators of cards in plain ones, for tests of the kernel texts for cards on processors. */
public final class WrittenFlash {
  private WrittenFlash() {}

  /** Returns the TorchScript source of the function {@code flash}. */
  public static String source() {
    return read("written_flash.py");
  }

  /** Returns the TorchScript source of the function {@code wide_product}. */
  public static String wideProduct() {
    return read("written_wide_product.py");
  }

  /** Returns the TorchScript source of the function {@code grouped_product}. */
  public static String groupedProduct() {
    return read("written_grouped_product.py");
  }

  private static String read(String name) {
    try (InputStream stream = WrittenFlash.class.getResourceAsStream(name)) {
      return new String(Objects.requireNonNull(stream).readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }
}
