package roll.ui.trajectory;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import roll.ui.file.Stamp;

/** The indexes of the files that were asked for last, read again where a file was replaced. */
final class StepIndexes {
  private static final int KEPT = 6;

  private final Map<Path, Kept> kept = new LinkedHashMap<>(16, 0.75f, true);

  /** An index, and what the file was when it was read. */
  private record Kept(Stamp stamp, StepIndex index) {}

  /** None yet. */
  StepIndexes() {}

  /** That of {@code file}; others wait meanwhile, so that no file is read twice. */
  synchronized StepIndex of(Path file) throws IOException {
    Stamp now = Stamp.of(file);
    if (now == null) {
      throw new NoSuchFileException(file.toString());
    }
    Kept known = kept.get(file);
    if (known == null || !known.stamp().equals(now)) {
      known = new Kept(now, StepIndex.read(file));
      kept.put(file, known);
      if (kept.size() > KEPT) {
        kept.remove(kept.keySet().iterator().next());
      }
    }
    return known.index();
  }
}
