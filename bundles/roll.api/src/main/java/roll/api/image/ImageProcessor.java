package roll.api.image;

import java.awt.image.BufferedImage;
import org.osgi.annotation.versioning.ProviderType;

/** Makes of a picture what one model takes. For all threads. */
@ProviderType
public interface ImageProcessor {
  /**
   * The patches of an encoded picture: JPEG, PNG, GIF (its first frame) or WebP.
   *
   * @param where the picture comes from, for messages
   * @throws roll.api.option.UserException if it is broken, too large, or of a shape that the model
   *     does not take
   */
  ImagePatches process(String where, byte[] picture);

  /** The patches of a decoded picture; transparency is left out. As the other. */
  ImagePatches process(String where, BufferedImage picture);

  /**
   * The patches that a picture of this size would have.
   *
   * @param where as above
   * @throws roll.api.option.UserException if the model does not take such a shape
   */
  ImageGrid grid(String where, int width, int height);

  /**
   * Places in the prompt of an encoded picture. Its size alone may be looked at: what is broken
   * behind it is found by {@link #check} and {@link #process}.
   *
   * @param where as above
   * @throws roll.api.option.UserException if it says no size, or the model does not take it
   */
  default int tokens(String where, Picture picture) {
    return process(where, picture.data()).tokens();
  }

  /**
   * Reads all of a picture that comes from elsewhere, so that it is refused there and not where a
   * model looks at it.
   *
   * @param where as above
   * @throws roll.api.option.UserException as {@link #process} does
   */
  default void check(String where, Picture picture) {
    var unused = process(where, picture.data());
  }

  /**
   * The size in which the model would see a picture of this size: coordinates that it says are of
   * this one. By default found with an empty picture.
   *
   * @param where as above
   * @throws roll.api.option.UserException if the model does not take such a shape
   */
  default ImageSize seen(String where, int width, int height) {
    return process(where, new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB)).seen();
  }
}
