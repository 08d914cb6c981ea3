package roll.image;

import java.awt.image.BufferedImage;
import java.awt.image.IndexColorModel;
import java.awt.image.Raster;

/**
 * A picture with three channels in separate planes.
 *
 * @param width in pixels
 * @param height in pixels
 * @param planes red, green, blue; row-major from the top, numbers from 0 to 255
 */
record RgbPicture(int width, int height, int[][] planes) {
  /** Number of color channels. */
  static final int CHANNELS = 3;

  /**
   * Returns the colors of {@code image} without transparency, like {@code convert("RGB")} of
   * Pillow. Gray levels are copied unchanged, which {@code getRGB} would convert.
   */
  static RgbPicture of(BufferedImage image) {
    int width = image.getWidth();
    int height = image.getHeight();
    int[][] planes = new int[CHANNELS][width * height];
    boolean gray = image.getRaster().getNumBands() <= 2 && !isIndexed(image);
    int[] row = new int[width];
    for (int y = 0; y < height; y++) {
      if (gray) {
        grays(image.getRaster(), y, row);
      } else {
        image.getRGB(0, y, width, 1, row, 0, width);
      }
      for (int x = 0; x < width; x++) {
        int at = y * width + x;
        planes[0][at] = row[x] >>> 16 & 0xff;
        planes[1][at] = row[x] >>> 8 & 0xff;
        planes[2][at] = row[x] & 0xff;
      }
    }
    return new RgbPicture(width, height, planes);
  }

  private static boolean isIndexed(BufferedImage image) {
    return image.getColorModel() instanceof IndexColorModel;
  }

  /** Copies gray levels; of samples with more than 8 bits the upper ones. */
  private static void grays(Raster raster, int y, int[] row) {
    raster.getSamples(0, y, row.length, 1, 0, row);
    int bits = raster.getSampleModel().getSampleSize(0);
    for (int x = 0; x < row.length; x++) {
      int level = bits > 8 ? row[x] >>> (bits - 8) : row[x];
      row[x] = level * 0x010101;
    }
  }
}
