package roll.strategy.hf_infer;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The KV caches of the previous call, found by their tokens: the next turn of a conversation begins
 * with all tokens of the previous one, so that only new tokens are run. Owns the caches.
 */
final class PrefixCache implements AutoCloseable {
  /** A prefix cache without entries. */
  static final PrefixCache EMPTY = new PrefixCache(0, List.of(), new TreeMap<>(Arrays::compare));

  private final long version;
  private final List<KvCache> caches;

  /** By tokens in lexicographic order, where a neighbor has the longest common prefix. */
  private final NavigableMap<int[], Place> places;

  private PrefixCache(long version, List<KvCache> caches, NavigableMap<int[], Place> places) {
    this.version = version;
    this.caches = caches;
    this.places = places;
  }

  /** Returns the version of the weights that computed it. */
  long version() {
    return version;
  }

  /**
   * Returns the row with the longest common prefix with {@code prompt}, or null. The last token of
   * a prompt is never taken from a cache: it is run to predict the next one.
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
   * A cached prefix.
   *
   * @param cache the cache
   * @param row row of the cache
   * @param cells number of matching slots
   */
  record Match(KvCache cache, int row, int cells) {}

  private record Place(KvCache cache, int row) {}

  /** Owns the caches of a running call; keeps those of finished rows. */
  static final class Builder implements AutoCloseable {
    private final long version;
    private final boolean keep;
    private final NavigableMap<int[], Place> places = new TreeMap<>(Arrays::compare);
    private List<KvCache> caches = new ArrayList<>();

    /**
     * Creates an empty builder.
     *
     * @param version version of the weights
     * @param keep whether to keep caches
     */
    Builder(long version, boolean keep) {
      this.version = version;
      this.keep = keep;
    }

    /** Takes ownership of {@code cache} and returns it. */
    KvCache own(KvCache cache) {
      caches.add(cache);
      return cache;
    }

    /**
     * Declares that {@code cache} is no longer written.
     *
     * @param held tokens by row; null for rows that are not kept
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

    /** Returns the caches that are kept for the next call. */
    PrefixCache build() {
      PrefixCache built = new PrefixCache(version, List.copyOf(caches), places);
      caches = List.of();
      return built;
    }

    /** Frees everything unless {@link #build} was called. */
    @Override
    public void close() {
      caches.forEach(KvCache::close);
    }
  }
}
