package roll.image;

import com.twelvemonkeys.imageio.metadata.Entry;
import com.twelvemonkeys.imageio.metadata.jpeg.JPEG;
import com.twelvemonkeys.imageio.metadata.jpeg.JPEGSegment;
import com.twelvemonkeys.imageio.metadata.jpeg.JPEGSegmentUtil;
import com.twelvemonkeys.imageio.metadata.tiff.TIFF;
import com.twelvemonkeys.imageio.metadata.tiff.TIFFReader;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import javax.imageio.stream.MemoryCacheImageInputStream;
import roll.api.image.ImageSize;

/**
 * The EXIF orientation of a picture, which transformers applies (image_utils.py, {@code
 * load_image}).
 *
 * @param number as in EXIF 2.32, section 4.6.4: 1 is upright, 2 to 8 are mirrored or rotated
 */
record Orientation(int number) {
  private static final Orientation UPRIGHT = new Orientation(1);

  /** Reads the orientation of a JPEG file; upright if it is missing or unreadable. */
  static Orientation of(byte[] bytes) {
    if (bytes.length < 2 || (bytes[0] & 0xff) != 0xff || (bytes[1] & 0xff) != 0xd8) {
      return UPRIGHT;
    }
    try (var in = new MemoryCacheImageInputStream(new ByteArrayInputStream(bytes))) {
      for (JPEGSegment segment : JPEGSegmentUtil.readSegments(in, JPEG.APP1, "Exif")) {
        try (InputStream data = segment.data()) {
          if (data.read() < 0) { // one byte of padding comes first
            continue;
          }
          var exif = new MemoryCacheImageInputStream(data);
          Entry entry = new TIFFReader().read(exif).getEntryById(TIFF.TAG_ORIENTATION);
          if (entry != null && entry.getValue() instanceof Number found) {
            return found.intValue() >= 1 && found.intValue() <= 8
                ? new Orientation(found.intValue())
                : UPRIGHT;
          }
        }
      }
    } catch (IOException | RuntimeException unreadable) {
      return UPRIGHT; // damaged metadata does not invalidate the picture
    }
    return UPRIGHT;
  }

  /** Returns the upright size of a picture of this width and height. */
  ImageSize upright(int width, int height) {
    return number > 4 ? new ImageSize(height, width) : new ImageSize(width, height);
  }

  /** Returns {@code image} turned upright by its EXIF orientation. */
  BufferedImage upright(BufferedImage image) {
    if (number == 1) {
      return image;
    }
    int width = image.getWidth();
    int height = image.getHeight();
    boolean turned = number > 4;
    int type = image.getColorModel().hasAlpha() ? 2 : 1;
    BufferedImage upright =
        new BufferedImage(turned ? height : width, turned ? width : height, type);
    for (int y = 0; y < upright.getHeight(); y++) {
      for (int x = 0; x < upright.getWidth(); x++) {
        int across = turned ? y : x;
        int down = turned ? x : y;
        boolean fromRight = number == 2 || number == 3 || number == 7 || number == 8;
        boolean fromBottom = number == 3 || number == 4 || number == 6 || number == 7;
        upright.setRGB(
            x,
            y,
            image.getRGB(
                fromRight ? width - 1 - across : across, fromBottom ? height - 1 - down : down));
      }
    }
    return upright;
  }
}
