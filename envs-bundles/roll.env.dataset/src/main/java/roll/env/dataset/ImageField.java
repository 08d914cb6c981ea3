package roll.env.dataset;

import java.awt.Graphics2D;
import java.awt.Image;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import javax.imageio.ImageIO;
import org.jspecify.annotations.Nullable;
import roll.api.image.Picture;
import roll.api.option.UserException;

/**
 * The field with the pictures of a question.
 *
 * @param name of the field
 * @param pixels maximum area of a picture; larger ones are shrunk
 */
record ImageField(String name, int pixels) {
  /**
   * Side of a token of Qwen's models in pixels, of which the sides of shrunk ones are multiples.
   */
  private static final int TOKEN = 28;

  /**
   * Returns {@code picture}, or a smaller one of nearly the same aspect ratio, with the size that
   * {@code smart_resize} of Hugging Face transformers gives it.
   *
   * @param where source of the picture, for messages
   * @throws UserException if it is too large to be passed on and cannot be decoded
   */
  Picture shrunk(String where, Picture picture) {
    if (pixels == Integer.MAX_VALUE) {
      return picture;
    }
    BufferedImage image = decoded(picture);
    if (image == null) {
      throw new UserException(
          where + ": cannot be decoded (with image_max_pixels allowed: JPEG, PNG, GIF)");
    }
    double area = (double) image.getWidth() * image.getHeight();
    if (rounded(image.getWidth()) * rounded(image.getHeight()) <= pixels) {
      return picture;
    }
    double shrink = Math.sqrt(area / pixels);
    return Picture.png(
        scaled(image, side(image.getWidth(), shrink), side(image.getHeight(), shrink)));
  }

  private static @Nullable BufferedImage decoded(Picture picture) {
    try {
      return ImageIO.read(new ByteArrayInputStream(picture.data()));
    } catch (IOException e) {
      return null;
    }
  }

  private static long rounded(int side) {
    return Math.round(Math.rint(side / (double) TOKEN)) * TOKEN;
  }

  private static int side(int side, double shrink) {
    return Math.max(TOKEN, (int) Math.floor(side / shrink / TOKEN) * TOKEN);
  }

  private static BufferedImage scaled(BufferedImage image, int width, int height) {
    BufferedImage scaled = new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB);
    Graphics2D graphics = scaled.createGraphics();
    graphics.drawImage(
        image.getScaledInstance(width, height, Image.SCALE_AREA_AVERAGING), 0, 0, null);
    graphics.dispose();
    return scaled;
  }
}
