package roll.tool.search;

import java.nio.file.Path;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The indexes of one service. One is built for the first rollout that needs it and kept for those
 * to come, since every training step asks anew; of those that nobody uses the last few are kept.
 * All are closed when the service has gone and their last user too.
 */
final class Indexes {
  private static final int MOST_UNUSED = 2;

  private final Map<Source, Shared> indexes = new LinkedHashMap<>(16, 0.75f, true);
  private boolean gone;

  /** What an index is made of, and where it is kept, if not in memory. */
  record Source(Corpus corpus, Optional<Path> folder) {
    private PassageIndex open() {
      return folder
          .map(kept -> PassageIndex.kept(kept, corpus))
          .orElseGet(() -> PassageIndex.inMemory(corpus));
    }
  }

  /** An index and how many use it. */
  private static final class Shared {
    private final PassageIndex index;
    private int users;

    Shared(PassageIndex index) {
      this.index = index;
    }
  }

  /**
   * The index of {@code source}; who gets it calls {@link #release} once.
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

  /** Says that one user of {@code source} is done. */
  synchronized void release(Source source) {
    Shared shared = indexes.get(source);
    if (shared != null) {
      shared.users--;
    }
    tidy();
  }

  /** Keeps nothing any longer that is not used. */
  synchronized void close() {
    gone = true;
    tidy();
  }

  /** How many indexes are open. */
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
