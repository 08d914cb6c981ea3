package roll.sandbox;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;

/** Python sources that isolate processes by the Linux kernel. */
public final class KernelScripts {
  private static final List<String> SHARED = List.of("kernel.py", "landlock.py", "namespaces.py");

  private KernelScripts() {}

  /**
   * Returns one script: the shared functions, then the resources {@code names} beside {@code type}.
   */
  public static String with(Class<?> type, List<String> names) {
    StringBuilder all = new StringBuilder();
    SHARED.forEach(name -> all.append(text(KernelScripts.class, name)));
    names.forEach(name -> all.append(text(type, name)));
    return all.toString();
  }

  private static String text(Class<?> type, String name) {
    try (InputStream in = type.getResourceAsStream(name)) {
      return new String(Objects.requireNonNull(in, name).readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
