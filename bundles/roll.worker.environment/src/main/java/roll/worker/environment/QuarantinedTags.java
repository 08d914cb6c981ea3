package roll.worker.environment;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The tags that are no longer played. They belong to what a run must remember: a resumed run that
 * plays them again would be another one. In a checkpoint they are {@code quarantined.txt}, a tag a
 * line.
 */
final class QuarantinedTags {
  private static final String FILE = "quarantined.txt";

  private final Set<String> tags = new TreeSet<>();
  private @Nullable Set<String> copy;

  /** Adds the tags {@code more}. */
  synchronized void add(Set<String> more) {
    tags.addAll(more);
  }

  /** Returns the tags that are quarantined now. */
  synchronized Set<String> tags() {
    return Set.copyOf(tags);
  }

  /** Copies the tags for the next {@link #save}. */
  synchronized void snapshot() {
    copy = new TreeSet<>(tags);
  }

  /**
   * Writes the copy, which is then dropped, or the current tags if there is no copy; writes nothing
   * if there are no tags.
   */
  synchronized void save(Path folder) {
    Set<String> kept = copy == null ? tags : copy;
    try {
      if (!kept.isEmpty()) {
        Files.createDirectories(folder);
        Files.write(folder.resolve(FILE), kept);
      }
      copy = null;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Continues with what was saved; a checkpoint that has no such file has no such tags. */
  synchronized void restore(Path folder) {
    try {
      tags.clear();
      if (Files.exists(folder.resolve(FILE))) {
        tags.addAll(Files.readAllLines(folder.resolve(FILE)));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
