package roll.sampling;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import java.util.LinkedHashMap;
import java.util.Map;
import org.osgi.annotation.versioning.ConsumerType;
import roll.api.image.ImagePatches;
import roll.api.image.Picture;
import roll.api.memory.MemoryKind;
import roll.api.model.DecoderSpec;
import roll.api.model.VisionSpec;
import roll.torch.Device;
import roll.torch.MemoryLedger;

/**
 * A least-recently-used cache of the vision tower's features, computed once for each picture and
 * version of the weights. Owns the tensors. Used only on the compute thread.
 */
public final class PictureFeatures implements AutoCloseable {
  /** Maximum bytes of the cache of picture features. */
  private static final long MOST = 256 << 20;

  private final Device device;
  private final PictureCatalog catalog;
  private final Tower tower;
  private final MemoryLedger ledger;
  private final long most;
  private final Map<String, CachedFeatures> kept = new LinkedHashMap<>(16, 0.75f, true);
  private long version;
  private long bytes;
  private long computed;
  private long found;

  /** Computes the features of pictures. */
  @ConsumerType
  @FunctionalInterface
  public interface Tower {
    /**
     * Returns the features of a picture, f32 [tokens, vectors · hidden].
     *
     * @param owner owns the result
     * @param weights the tower's parameters, in the order of the specification
     */
    NDArray features(NDManager owner, NDList weights, ImagePatches patches);
  }

  /**
   * Counters of the cache over some time.
   *
   * @param computed number of pictures computed by the tower
   * @param found number of cache hits
   */
  public record Counts(long computed, long found) {}

  private record CachedFeatures(NDManager owner, NDArray features, long bytes) {}

  /**
   * Creates an empty cache.
   *
   * @param ledger counts the cached bytes as part of the KV cache
   * @param most maximum bytes of the cache; the last picture is always kept
   */
  public PictureFeatures(
      Device device, PictureCatalog catalog, Tower tower, MemoryLedger ledger, long most) {
    this.device = device;
    this.catalog = catalog;
    this.tower = tower;
    this.ledger = ledger;
    this.most = most;
  }

  /**
   * Returns the maximum bytes of the cache for {@code sequences} concurrent sequences of {@code
   * length} tokens: at most what they can contain; 0 for models without vision.
   */
  public static long most(DecoderSpec spec, int sequences, int length) {
    VisionSpec vision = spec.vision();
    if (vision == null) {
      return 0;
    }
    long token = (long) Float.BYTES * vision.vectors() * spec.hidden();
    return Math.min(MOST, token * sequences * length);
  }

  /**
   * Returns the features of {@code picture}, f32 [tokens, vectors · hidden]; owned by this object,
   * which may free them at the next call.
   *
   * @param weights the tower's parameters
   * @param now version of the weights; features of other versions are freed
   */
  public NDArray of(Picture picture, NDList weights, long now) {
    if (now != version) {
      clear();
      version = now;
    }
    CachedFeatures known = kept.get(picture.digest());
    if (known != null) {
      found++;
      return known.features();
    }
    return compute(picture, weights);
  }

  private NDArray compute(Picture picture, NDList weights) {
    ImagePatches patches = catalog.patches(picture);
    NDManager owner = device.newManager();
    try {
      NDArray features = tower.features(owner, weights, patches);
      long size = Float.BYTES * features.size();
      while (bytes + size > most && !kept.isEmpty()) {
        free(kept.keySet().iterator().next());
      }
      kept.put(picture.digest(), new CachedFeatures(owner, features, size));
      count(size);
      computed++;
      return features;
    } catch (RuntimeException failure) {
      owner.close();
      throw failure;
    }
  }

  private void free(String digest) {
    CachedFeatures one = kept.remove(digest);
    if (one != null) {
      one.owner().close();
      count(-one.bytes());
    }
  }

  private void count(long more) {
    bytes += more;
    ledger.add(MemoryKind.KV_CACHE, more);
  }

  /** Frees all cached picture features. */
  public void clear() {
    kept.values().forEach(one -> one.owner().close());
    kept.clear();
    count(-bytes);
  }

  /** Returns the counters since the previous call. */
  public Counts counts() {
    Counts counts = new Counts(computed, found);
    computed = 0;
    found = 0;
    return counts;
  }

  @Override
  public void close() {
    clear();
  }
}
