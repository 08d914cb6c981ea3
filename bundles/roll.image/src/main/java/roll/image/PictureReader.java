package roll.image;

import com.twelvemonkeys.imageio.plugins.webp.WebPImageReaderSpi;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import javax.imageio.ImageIO;
import javax.imageio.ImageReader;
import javax.imageio.stream.MemoryCacheImageInputStream;
import roll.api.image.ImageSize;
import roll.api.option.UserException;
import roll.text.OneLine;

/** Reads encoded pictures, checking their size before memory is allocated. */
final class PictureReader {
  /** Pillow's limit for a warning: a quarter of 1 GiB in bytes of three channels. */
  static final long MOST_PIXELS = (1L << 30) / 4 / 3;

  private PictureReader() {}

  /** Uses a reader positioned at a picture of an allowed size. */
  private interface Use<T> {
    T of(ImageReader reader, int width, int height) throws IOException;
  }

  /**
   * Reads the picture in {@code bytes}, the first frame of several, upright by its EXIF data.
   *
   * @param where source of the picture, for messages
   * @throws UserException if it is no picture, damaged, or too large
   */
  static BufferedImage read(String where, byte[] bytes) {
    return use(
        where, bytes, (reader, width, height) -> Orientation.of(bytes).upright(reader.read(0)));
  }

  /**
   * Returns the size of {@link #read}'s result from the header alone.
   *
   * @throws UserException if it is no picture, has no size, or is too large
   */
  static ImageSize size(String where, byte[] bytes) {
    return use(
        where, bytes, (reader, width, height) -> Orientation.of(bytes).upright(width, height));
  }

  private static <T> T use(String where, byte[] bytes, Use<T> use) {
    ImageReader reader = reader(where, bytes);
    try (var in = new MemoryCacheImageInputStream(new ByteArrayInputStream(bytes))) {
      reader.setInput(in, true, false);
      int width = reader.getWidth(0);
      int height = reader.getHeight(0);
      if ((long) width * height > MOST_PIXELS) {
        throw new UserException(
            "%s: %,d by %,d pixels are more than the %,d that are allowed"
                .formatted(where, width, height, MOST_PIXELS));
      }
      if (width < 1 || height < 1) {
        throw new UserException("%s: has no pixels".formatted(where));
      }
      return use.of(reader, width, height);
    } catch (IOException | RuntimeException failure) {
      if (failure instanceof UserException refused) {
        throw refused;
      }
      throw new UserException(
          "%s: a broken picture: %s"
              .formatted(where, OneLine.of(String.valueOf(failure.getMessage()))),
          failure);
    } finally {
      reader.dispose();
    }
  }

  private static ImageReader reader(String where, byte[] bytes) {
    if (starts(bytes, 0, 0xff, 0xd8, 0xff)) {
      return ImageIO.getImageReadersByFormatName("jpeg").next();
    }
    if (starts(bytes, 0, 0x89, 'P', 'N', 'G')) {
      return ImageIO.getImageReadersByFormatName("png").next();
    }
    if (starts(bytes, 0, 'G', 'I', 'F', '8')) {
      return ImageIO.getImageReadersByFormatName("gif").next();
    }
    if (starts(bytes, 0, 'R', 'I', 'F', 'F') && starts(bytes, 8, 'W', 'E', 'B', 'P')) {
      try {
        return new WebPImageReaderSpi().createReaderInstance();
      } catch (IOException e) {
        throw new IllegalStateException(e);
      }
    }
    throw new UserException(where + ": is not a picture (allowed: JPEG, PNG, GIF, WebP)");
  }

  private static boolean starts(byte[] bytes, int at, int... with) {
    if (bytes.length < at + with.length) {
      return false;
    }
    for (int i = 0; i < with.length; i++) {
      if ((bytes[at + i] & 0xff) != with[i]) {
        return false;
      }
    }
    return true;
  }
}
