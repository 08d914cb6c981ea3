package roll.torch.vision;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import roll.api.image.ImagePatches;
import roll.api.image.ImageProcessor;
import roll.api.image.Picture;
import roll.api.model.VisionSpec;
import roll.api.option.UserException;

/**
 * The patches of pictures, made by the image processor of a model. The most recently used are
 * cached, up to {@link #KEPT} bytes, since a picture recurs in micro-batches, epochs and turns. For
 * use from any thread.
 */
public final class PicturePatches {
  /** Maximum bytes of cached patches: eleven pictures of 1,000 by 1,000 pixels. */
  public static final long KEPT = 1L << 28;

  private final VisionSpec vision;
  private final Supplier<ImageProcessor> opening;
  private final long most;
  private final Map<Picture, ImagePatches> kept = new LinkedHashMap<>(16, 0.75f, true);
  private long bytes;

  /**
   * Creates the cache for the tower {@code vision}.
   *
   * @param opening returns the image processor; called for every new picture
   */
  public PicturePatches(VisionSpec vision, Supplier<ImageProcessor> opening) {
    this(vision, opening, KEPT);
  }

  PicturePatches(VisionSpec vision, Supplier<ImageProcessor> opening, long most) {
    this.vision = vision;
    this.opening = opening;
    this.most = most;
  }

  /**
   * Returns the patches of {@code picture} in the order of the vision tower.
   *
   * @throws UserException if it is damaged or the model does not accept it
   */
  public synchronized ImagePatches of(Picture picture) {
    ImagePatches found = kept.get(picture);
    return found == null ? keep(picture, made(picture)) : found;
  }

  private ImagePatches made(Picture picture) {
    ImagePatches made = opening.get().process("picture " + picture, picture.data());
    if (made.merge() != vision.merge() || made.patchSize() != vision.patchSize()) {
      throw new UserException(
          "preprocessor_config.json makes patches of %d numbers and squares of %d, config.json wants %d and %d"
              .formatted(made.patchSize(), made.merge(), vision.patchSize(), vision.merge()));
    }
    return made;
  }

  private ImagePatches keep(Picture picture, ImagePatches made) {
    kept.put(picture, made);
    bytes += bytes(made);
    var eldest = kept.entrySet().iterator();
    while (bytes > most && kept.size() > 1) {
      bytes -= bytes(eldest.next().getValue());
      eldest.remove();
    }
    return made;
  }

  private static long bytes(ImagePatches patches) {
    return Float.BYTES * (long) patches.values().length;
  }
}
