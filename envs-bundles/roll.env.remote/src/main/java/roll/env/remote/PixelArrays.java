package roll.env.remote;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonPrimitive;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Base64;
import javax.imageio.ImageIO;
import roll.bridge.PeerException;

/** Pictures of other protocols: a file in Base64, or rows of RGB pixels. */
final class PixelArrays {
  private static final String DATA = "data:image/";
  private static final int MOST_PIXELS = 1 << 24;
  private static final int COLORS = 3;
  private static final int BRIGHTEST = 255;

  private PixelArrays() {}

  /**
   * Returns the picture {@code seen} as a file in Base64.
   *
   * @throws PeerException if it is malformed
   */
  static String picture(JsonElement seen) {
    if (seen instanceof JsonPrimitive text && text.isString()) {
      String file = text.getAsString();
      return file.startsWith(DATA) ? file.substring(file.indexOf(',') + 1) : file;
    }
    if (seen instanceof JsonArray rows && !rows.isEmpty()) {
      return png(image(rows));
    }
    throw none();
  }

  private static BufferedImage image(JsonArray rows) {
    int width = row(rows.get(0)).size();
    if (width == 0 || (long) width * rows.size() > MOST_PIXELS) {
      throw none();
    }
    BufferedImage image = new BufferedImage(width, rows.size(), BufferedImage.TYPE_INT_RGB);
    for (int y = 0; y < rows.size(); y++) {
      JsonArray row = row(rows.get(y));
      if (row.size() != width) {
        throw none();
      }
      for (int x = 0; x < width; x++) {
        image.setRGB(x, y, colour(row(row.get(x))));
      }
    }
    return image;
  }

  private static int colour(JsonArray pixel) {
    if (pixel.size() < COLORS) {
      throw none();
    }
    int colour = 0;
    for (int i = 0; i < COLORS; i++) {
      colour = colour << 8 | brightness(pixel.get(i));
    }
    return colour;
  }

  private static int brightness(JsonElement number) {
    try {
      int value = number.getAsInt();
      if (value >= 0 && value <= BRIGHTEST) {
        return value;
      }
    } catch (NumberFormatException | UnsupportedOperationException | IllegalStateException e) {
      // said below
    }
    throw none();
  }

  private static JsonArray row(JsonElement element) {
    if (element instanceof JsonArray row) {
      return row;
    }
    throw none();
  }

  private static String png(BufferedImage image) {
    ByteArrayOutputStream file = new ByteArrayOutputStream();
    try {
      if (!ImageIO.write(image, "png", file)) {
        throw new IllegalStateException("no writer of PNG");
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return Base64.getEncoder().encodeToString(file.toByteArray());
  }

  private static PeerException none() {
    return PeerException.refused(
        "the observation's picture must be a PNG or JPEG file in Base64, or rows of at most "
            + MOST_PIXELS
            + " pixels of three numbers from 0 to 255");
  }
}
