package roll.ui.trajectory;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.LinkedHashMap;
import java.util.Map;

/** The indexes of the files that were asked for last, read again where a file was replaced. */
final class StepIndexes {
  private static final int KEPT = 6;

  private final Map<Path, Kept> kept = new LinkedHashMap<>(16, 0.75f, true);

  /** An index, and what the file was when it was read. */
  private record Kept(FileTime written, long size, StepIndex index) {
    boolean of(BasicFileAttributes now) {
      return written.equals(now.lastModifiedTime()) && size == now.size();
    }
  }

  /** None yet. */
  StepIndexes() {}

  /** That of {@code file}; others wait meanwhile, so that no file is read twice. */
  synchronized StepIndex of(Path file) throws IOException {
    BasicFileAttributes now =
        Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    Kept known = kept.get(file);
    if (known == null || !known.of(now)) {
      known = new Kept(now.lastModifiedTime(), now.size(), StepIndex.read(file));
      kept.put(file, known);
      if (kept.size() > KEPT) {
        kept.remove(kept.keySet().iterator().next());
      }
    }
    return known.index();
  }
}
