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
 * Reads the pictures of prompts, and remembers of each its grid and a number that no other picture
 * has, so that a picture that comes again need not be decoded. Used on the compute thread alone.
 */
public final class PictureCatalog {
  /** Pictures remembered; one that is forgotten has another number when it comes again. */
  private static final int REMEMBERED = 1 << 16;

  private final VisionSpec vision;
  private final PicturePatches patches;
  private final Map<String, Known> known = new LinkedHashMap<>(16, 0.75f, true);
  private int last;

  /** What is remembered: the number is negative, as no token's is. */
  private record Known(int number, ImageGrid grid) {}

  /**
   * Nothing is known yet.
   *
   * @param vision the tower of the model
   * @param patches makes what it takes
   */
  public PictureCatalog(VisionSpec vision, PicturePatches patches) {
    this.vision = vision;
    this.patches = patches;
  }

  /** For the model {@code spec}; null if it does not see, and so has no {@code patches}. */
  public static @Nullable PictureCatalog of(DecoderSpec spec, @Nullable PicturePatches patches) {
    VisionSpec vision = spec.vision();
    return vision == null || patches == null ? null : new PictureCatalog(vision, patches);
  }

  /** A prompt that shows pictures, and how caches compare it. */
  record Shown(PromptPictures pictures, int[] keys) {}

  /**
   * What {@code prompt} shows; null if nothing.
   *
   * @throws UserException if a picture is broken or none that the model takes, or if places and
   *     pictures do not fit each other
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
   * What the tower takes of {@code picture}.
   *
   * @throws UserException if it is broken or none that the model takes
   */
  ImagePatches patches(Picture picture) {
    return patches.of(picture);
  }
}
