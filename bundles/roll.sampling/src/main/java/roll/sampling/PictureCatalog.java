package roll.sampling;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import roll.api.image.ImageGrid;
import roll.api.image.ImagePatches;
import roll.api.image.Picture;
import roll.api.model.DecoderSpec;
import roll.api.model.VisionSpec;
import roll.api.option.UserException;
import roll.torch.vision.PicturePatches;

/**
 * Reads the pictures of prompts, and remembers the grid and a unique number of each, so that a
 * recurring picture need not be decoded. Used only on the compute thread.
 */
public final class PictureCatalog {
  /**
   * Maximum number of remembered pictures; a forgotten picture gets a new number when it recurs.
   */
  private static final int REMEMBERED = 1 << 16;

  private final VisionSpec vision;
  private final PicturePatches patches;
  private final Map<String, Known> known = new LinkedHashMap<>(16, 0.75f, true);
  private int last;

  /** A remembered picture; its number is negative, unlike token ids. */
  private record Known(int number, ImageGrid grid) {}

  /**
   * Creates an empty catalog.
   *
   * @param vision vision tower of the model
   * @param patches makes patches for the tower
   */
  public PictureCatalog(VisionSpec vision, PicturePatches patches) {
    this.vision = vision;
    this.patches = patches;
  }

  /**
   * Returns a catalog for the model {@code spec}; null if it has no vision, and thus no {@code
   * patches}.
   */
  public static @Nullable PictureCatalog of(DecoderSpec spec, @Nullable PicturePatches patches) {
    VisionSpec vision = spec.vision();
    return vision == null || patches == null ? null : new PictureCatalog(vision, patches);
  }

  /** The pictures of a prompt, and its cache keys. */
  record Shown(PromptPictures pictures, int[] keys) {}

  /**
   * Returns the pictures of {@code prompt}; null if it has none.
   *
   * @throws UserException if a picture is damaged or not supported by the model, or if placeholders
   *     and pictures do not match
   */
  @Nullable Shown look(int[] prompt, List<Picture> pictures) {
    boolean places = false;
    for (int token : prompt) {
      places |= token == vision.imageToken();
    }
    if (!places && pictures.isEmpty()) {
      return null;
    }
    List<ImageGrid> grids = new ArrayList<>();
    List<Integer> numbers = new ArrayList<>();
    for (Picture picture : pictures) {
      Known found = known(picture);
      grids.add(found.grid());
      numbers.add(found.number());
    }
    try {
      PromptPictures shown = PromptPictures.of(prompt, vision, pictures, grids);
      return new Shown(shown, shown.keys(prompt, numbers));
    } catch (IllegalArgumentException e) {
      throw new UserException("prompt: " + e.getMessage(), e);
    }
  }

  private Known known(Picture picture) {
    Known found = known.get(picture.digest());
    if (found == null) {
      found = new Known(--last, patches.of(picture).grid());
      known.put(picture.digest(), found);
      if (known.size() > REMEMBERED) {
        known.remove(known.keySet().iterator().next());
      }
    }
    return found;
  }

  /**
   * Returns the patches of {@code picture}, preprocessed for the vision tower.
   *
   * @throws UserException if it is damaged or not supported by the model
   */
  ImagePatches patches(Picture picture) {
    return patches.of(picture);
  }
}
