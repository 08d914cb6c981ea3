package roll.strategy.hf_infer;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The caches that a call to generate left behind, found by what they hold: the next turn of a
 * conversation begins with all tokens of the turn before, so only what is new has to be run. Owns
 * the caches.
 */
final class PrefixCache implements AutoCloseable {
  /** Nothing. */
  static final PrefixCache EMPTY = new PrefixCache(0, List.of(), new TreeMap<>(Arrays::compare));

  private final long version;
  private final List<KvCache> caches;

  /** By tokens in lexicographic order, where the longest common prefix is with a neighbor. */
  private final NavigableMap<int[], Place> places;

  private PrefixCache(long version, List<KvCache> caches, NavigableMap<int[], Place> places) {
    this.version = version;
    this.caches = caches;
    this.places = places;
  }

  /** The weights that made it. */
  long version() {
    return version;
  }

  /**
   * The row that shares most tokens with {@code prompt}, or null. The last token of a prompt is
   * never taken from a cache: it is run to predict the next one.
   */
  @Nullable Match longest(int[] prompt) {
    Match before = match(prompt, places.floorEntry(prompt));
    Match after = match(prompt, places.higherEntry(prompt));
    if (before == null || after == null) {
      return before == null ? after : before;
    }
    return after.cells() > before.cells() ? after : before;
  }

  private static @Nullable Match match(int[] prompt, Map.@Nullable Entry<int[], Place> entry) {
    if (entry == null) {
      return null;
    }
    int mismatch = Arrays.mismatch(prompt, entry.getKey());
    int common = mismatch < 0 ? prompt.length : mismatch;
    int cells = Math.min(common, prompt.length - 1);
    Place place = entry.getValue();
    return cells == 0 ? null : new Match(place.cache(), place.row(), cells);
  }

  @Override
  public void close() {
    caches.forEach(KvCache::close);
  }

  /**
   * A row to begin with.
   *
   * @param cache which cache
   * @param row which of its rows
   * @param cells how many cells of it are the prompt's
   */
  record Match(KvCache cache, int row, int cells) {}

  private record Place(KvCache cache, int row) {}

  /** Owns the caches of a call while it runs; then those of finished rows are kept. */
  static final class Builder implements AutoCloseable {
    private final long version;
    private final boolean keep;
    private final NavigableMap<int[], Place> places = new TreeMap<>(Arrays::compare);
    private List<KvCache> caches = new ArrayList<>();

    /**
     * Nothing yet.
     *
     * @param version of the weights that make the caches
     * @param keep whether to keep anything
     */
    Builder(long version, boolean keep) {
      this.version = version;
      this.keep = keep;
    }

    /** Takes over {@code cache}; returns it. */
    KvCache own(KvCache cache) {
      caches.add(cache);
      return cache;
    }

    /**
     * Says that {@code cache} is not written any more.
     *
     * @param held the tokens by row; null where the row is not wanted any more
     */
    void release(KvCache cache, List<int @Nullable []> held) {
      boolean wanted = false;
      for (int row = 0; keep && row < held.size(); row++) {
        int[] tokens = held.get(row);
        if (tokens != null) {
          places.put(tokens, new Place(cache, row));
          wanted = true;
        }
      }
      if (!wanted) {
        caches.remove(cache);
        cache.close();
      }
    }

    /** What was kept. */
    PrefixCache build() {
      PrefixCache built = new PrefixCache(version, List.copyOf(caches), places);
      caches = List.of();
      return built;
    }

    /** Frees everything, unless it was built. */
    @Override
    public void close() {
      caches.forEach(KvCache::close);
    }
  }
}
