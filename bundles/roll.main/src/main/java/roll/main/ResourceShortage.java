package roll.main;

import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What the machine or its limits had too little of, in words that say what to change. */
final class ResourceShortage {
  private static final long MEGABYTE = 1 << 20;

  /** What the system, the JVM and libtorch say in their messages, and what it means. */
  private static final Map<String, Supplier<String>> SAID =
      Map.of(
          "Java heap space",
          ResourceShortage::heap,
          "GC overhead limit exceeded",
          ResourceShortage::heap,
          "direct buffer memory",
          () -> "too little memory for direct buffers: increase it with ROLL_JAVA_OPTS=-Xmx<size>",
          "unable to create native thread",
          () -> "the system allows no more threads: check ulimit -u and free memory",
          "Too many open files",
          () -> "too many open files: raise the limit (ulimit -n)",
          "No space left on device",
          () -> "no space is left on the disk",
          "Disk quota exceeded",
          () -> "the disk quota is used up",
          "annot allocate memory",
          ResourceShortage::memory,
          "can't allocate memory",
          ResourceShortage::memory);

  private ResourceShortage() {}

  private static String heap() {
    return "the Java heap of %d MB is too small: increase it with ROLL_JAVA_OPTS=-Xmx<size>"
        .formatted(Runtime.getRuntime().maxMemory() / MEGABYTE);
  }

  private static String memory() {
    return "the system provides no more memory: check ulimit -v and free memory";
  }

  /** One line for {@code error}, where it or what caused it is a shortage. */
  static Optional<String> of(Throwable error) {
    for (Throwable e = error; e != null; e = e.getCause()) {
      String message = String.valueOf(e.getMessage());
      for (var said : SAID.entrySet()) {
        if (message.contains(said.getKey())) {
          return Optional.of(said.getValue().get() + where(e, message));
        }
      }
    }
    return Optional.empty();
  }

  /** The file it was about, where the system says one. */
  private static String where(Throwable e, @Nullable String message) {
    return e instanceof java.nio.file.FileSystemException file && file.getFile() != null
        ? " (" + file.getFile() + ")"
        : e instanceof OutOfMemoryError || message == null ? "" : " (" + firstLine(message) + ")";
  }

  private static String firstLine(String message) {
    String line = message.lines().findFirst().orElse("").strip();
    return line.replaceFirst("^(?:[\\w.]+(?:Exception|Error): )+", "");
  }
}
