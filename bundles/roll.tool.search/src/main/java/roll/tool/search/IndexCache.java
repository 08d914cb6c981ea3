package roll.tool.search;

import java.nio.file.Path;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The shared indexes of the tool. An index is built for the first rollout that needs it and kept
 * for later ones; a few unused indexes are cached. After deactivation each is closed when its last
 * user releases it.
 */
final class IndexCache {
  private static final int MOST_UNUSED = 2;

  private final Map<Source, Shared> indexes = new LinkedHashMap<>(16, 0.75f, true);
  private boolean gone;

  /** The corpus of an index, and its folder unless it is in memory. */
  record Source(Corpus corpus, Optional<Path> folder) {
    private PassageIndex open() {
      return folder
          .map(kept -> PassageIndex.kept(kept, corpus))
          .orElseGet(() -> PassageIndex.inMemory(corpus));
    }
  }

  /** A shared index with its number of users. */
  private static final class Shared {
    private final PassageIndex index;
    private int users;

    Shared(PassageIndex index) {
      this.index = index;
    }
  }

  /**
   * Returns the index of {@code source}, to be released once by {@link #release}.
   *
   * @throws roll.api.option.UserException if a file cannot be read
   */
  synchronized PassageIndex use(Source source) {
    Shared shared = indexes.get(source);
    if (shared == null) {
      shared = new Shared(source.open());
      indexes.put(source, shared);
    }
    shared.users++;
    return shared.index;
  }

  /** Releases the index of {@code source} for one user. */
  synchronized void release(Source source) {
    Shared shared = indexes.get(source);
    if (shared != null) {
      shared.users--;
    }
    tidy();
  }

  /** Closes all unused indexes, and others when they are released. */
  synchronized void close() {
    gone = true;
    tidy();
  }

  /** Returns the number of open indexes. */
  synchronized int size() {
    return indexes.size();
  }

  private void tidy() {
    long unused = indexes.values().stream().filter(shared -> shared.users == 0).count();
    long leave = gone ? 0 : MOST_UNUSED;
    Iterator<Shared> oldest = indexes.values().iterator();
    while (unused > leave && oldest.hasNext()) {
      Shared shared = oldest.next();
      if (shared.users == 0) {
        oldest.remove();
        shared.index.close();
        unused--;
      }
    }
  }
}
