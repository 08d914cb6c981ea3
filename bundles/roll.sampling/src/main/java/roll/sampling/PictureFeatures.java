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
import roll.torch.Device;
import roll.torch.MemoryLedger;

/**
 * What a vision tower makes of pictures, made once for each picture and version of the weights. The
 * ones that were not asked for for the longest time go first. Owns the tensors. Used on the compute
 * thread alone.
 */
public final class PictureFeatures implements AutoCloseable {
  /** Bytes that are kept at most. */
  private static final long MOST = 256 << 20;

  private final Device device;
  private final PictureCatalog catalog;
  private final Tower tower;
  private final MemoryLedger ledger;
  private final long most;
  private final Map<String, Kept> kept = new LinkedHashMap<>(16, 0.75f, true);
  private long version;
  private long bytes;
  private long computed;
  private long found;

  /** Makes hidden states of pictures. */
  @ConsumerType
  @FunctionalInterface
  public interface Tower {
    /**
     * Those of a picture, f32 [tokens, hidden].
     *
     * @param owner owns them
     * @param weights the tower's parameters, in the order of the specification
     */
    NDArray features(NDManager owner, NDList weights, ImagePatches patches);
  }

  /**
   * What was done in some time.
   *
   * @param computed pictures that the tower computed
   * @param found how often a picture that was asked for was here
   */
  public record Counts(long computed, long found) {}

  private record Kept(NDManager owner, NDArray features, long bytes) {}

  /**
   * Nothing yet.
   *
   * @param ledger is told what is kept, as a part of the cache
   * @param most bytes that are kept; the last picture in any case
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
   * Bytes that are kept at most where {@code sequences} sequences of {@code length} tokens are
   * written at once: no more than they can show; 0 where the model does not see.
   */
  public static long most(DecoderSpec spec, int sequences, int length) {
    long token = (long) Float.BYTES * spec.hidden();
    return spec.vision() == null ? 0 : Math.min(MOST, token * sequences * length);
  }

  /**
   * The hidden states of {@code picture}, f32 [tokens, hidden]; owned by this object, which may
   * free them with the next call.
   *
   * @param weights the tower's parameters
   * @param now version of the weights: what others made is freed
   */
  public NDArray of(Picture picture, NDList weights, long now) {
    if (now != version) {
      clear();
      version = now;
    }
    Kept known = kept.get(picture.digest());
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
      kept.put(picture.digest(), new Kept(owner, features, size));
      count(size);
      computed++;
      return features;
    } catch (RuntimeException failure) {
      owner.close();
      throw failure;
    }
  }

  private void free(String digest) {
    Kept one = kept.remove(digest);
    if (one != null) {
      one.owner().close();
      count(-one.bytes());
    }
  }

  private void count(long more) {
    bytes += more;
    ledger.add(MemoryKind.KV_CACHE, more);
  }

  /** Frees all. */
  public void clear() {
    kept.values().forEach(one -> one.owner().close());
    kept.clear();
    count(-bytes);
  }

  /** What was done since the last call of this. */
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
