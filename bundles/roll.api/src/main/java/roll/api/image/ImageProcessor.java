package roll.api.image;

import java.awt.image.BufferedImage;
import org.osgi.annotation.versioning.ProviderType;

/** Preprocesses pictures for one vision-language model. Thread-safe. */
@ProviderType
public interface ImageProcessor {
  /**
   * The patches of an encoded picture: JPEG, PNG, GIF (its first frame) or WebP.
   *
   * @param where source of the picture, for messages
   * @throws roll.api.option.UserException if it is corrupt, too large, or its aspect ratio is not
   *     supported
   */
  ImagePatches process(String where, byte[] picture);

  /**
   * The patches of a decoded picture without its alpha channel. Like {@link #process(String,
   * byte[])}.
   */
  ImagePatches process(String where, BufferedImage picture);

  /**
   * The patch grid of a picture of this size.
   *
   * @param where as above
   * @throws roll.api.option.UserException if its aspect ratio is not supported
   */
  ImageGrid grid(String where, int width, int height);

  /**
   * Number of image tokens of an encoded picture. May read only its header: {@link #check} and
   * {@link #process} find corrupt data.
   *
   * @param where as above
   * @throws roll.api.option.UserException if its header is corrupt or its size not supported
   */
  default int tokens(String where, Picture picture) {
    return process(where, picture.data()).tokens();
  }

  /**
   * Decodes a picture from an untrusted source completely, so that it is refused early.
   *
   * @param where as above
   * @throws roll.api.option.UserException as {@link #process} does
   */
  default void check(String where, Picture picture) {
    var unused = process(where, picture.data());
  }

  /**
   * The size of a picture of this size after resizing; the model's coordinates refer to it. By
   * default computed with an empty picture.
   *
   * @param where as above
   * @throws roll.api.option.UserException if its aspect ratio is not supported
   */
  default ImageSize seen(String where, int width, int height) {
    return process(where, new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB)).seen();
  }
}
