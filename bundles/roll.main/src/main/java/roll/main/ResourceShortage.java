package roll.main;

import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Recognizes errors caused by exhausted memory, threads or files, and names the setting to change.
 */
final class ResourceShortage {
  private static final long MEGABYTE = 1 << 20;

  /** Explanations by fragments of messages of the system, the JVM and libtorch. */
  private static final Map<String, Supplier<String>> SAID =
      Map.of(
          "Java heap space",
          ResourceShortage::heap,
          "GC overhead limit exceeded",
          ResourceShortage::heap,
          "direct buffer memory",
          () -> "too little memory for direct buffers: increase it with ROLL_JAVA_OPTS=-Xmx<size>",
          "unable to create native thread",
          () -> "no more threads can be created: check ulimit -u and free memory",
          "Too many open files",
          () -> "too many open files: raise the limit (ulimit -n)",
          "No space left on device",
          () -> "no space left on the disk",
          "Disk quota exceeded",
          () -> "disk quota exceeded",
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
    return "out of memory: check ulimit -v and free memory";
  }

  /** Returns one line if {@code error} or one of its causes is a shortage. */
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

  /** Returns the file of the error, or its message, in parentheses. */
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
