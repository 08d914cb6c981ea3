package roll.image;

import java.awt.image.BufferedImage;
import roll.api.image.ImageGrid;
import roll.api.image.ImagePatches;
import roll.api.image.ImageProcessor;
import roll.api.image.ImageSize;
import roll.api.image.Picture;
import roll.api.option.UserException;

/**
 * The image processor of Qwen2-VL and Qwen2.5-VL: resizes, normalizes, and extracts patches in the
 * order of their tokens (Hugging Face transformers, models/qwen2_vl/image_processing_qwen2_vl.py).
 */
final class QwenImageProcessor implements ImageProcessor {
  private final ProcessorConfig config;
  private final SmartResize sizes;

  QwenImageProcessor(ProcessorConfig config) {
    this.config = config;
    this.sizes = new SmartResize(config.factor(), config.minPixels(), config.maxPixels());
  }

  @Override
  public ImagePatches process(String where, byte[] picture) {
    return process(where, PictureReader.read(where, picture));
  }

  @Override
  public ImagePatches process(String where, BufferedImage picture) {
    ImageSize size = seen(where, picture.getWidth(), picture.getHeight());
    RgbPicture seen =
        config.resampling().resize(RgbPicture.of(picture), size.width(), size.height());
    ImageGrid grid = grid(size);
    return new ImagePatches(
        new ImageSize(picture.getWidth(), picture.getHeight()),
        size,
        grid,
        config.merge(),
        patches(seen, grid));
  }

  @Override
  public ImageGrid grid(String where, int width, int height) {
    return grid(seen(where, width, height));
  }

  @Override
  public int tokens(String where, Picture picture) {
    ImageSize size = PictureReader.size(where, picture.data());
    return grid(where, size.width(), size.height()).tokens(config.merge());
  }

  @Override
  public void check(String where, Picture picture) {
    BufferedImage image = PictureReader.read(where, picture.data());
    var unused = seen(where, image.getWidth(), image.getHeight());
  }

  private ImageGrid grid(ImageSize size) {
    return new ImageGrid(1, size.height() / config.patch(), size.width() / config.patch());
  }

  @Override
  public ImageSize seen(String where, int width, int height) {
    if (config.resizes()) {
      return sizes.of(where, width, height);
    }
    if (width % config.factor() != 0 || height % config.factor() != 0) {
      throw new UserException(
          "%s: %d by %d pixels: sides must be multiples of %d where do_resize is false"
              .formatted(where, width, height, config.factor()));
    }
    return new ImageSize(width, height);
  }

  /** Returns patches in the order square, patch in the square, channel, frame, row, column. */
  private float[] patches(RgbPicture picture, ImageGrid grid) {
    int patch = config.patch();
    int merge = config.merge();
    int area = patch * patch;
    float[] values = new float[grid.patches() * RgbPicture.CHANNELS * config.frames() * area];
    int at = 0;
    for (int row = 0; row < grid.rows(); row += merge) {
      for (int column = 0; column < grid.columns(); column += merge) {
        for (int inner = 0; inner < merge * merge; inner++) {
          int top = (row + inner / merge) * patch;
          int left = (column + inner % merge) * patch;
          for (int c = 0; c < RgbPicture.CHANNELS; c++) {
            copy(picture, c, top, left, values, at);
            for (int frame = 1; frame < config.frames(); frame++) {
              System.arraycopy(values, at, values, at + frame * area, area);
            }
            at += config.frames() * area;
          }
        }
      }
    }
    return values;
  }

  private void copy(RgbPicture picture, int channel, int top, int left, float[] to, int first) {
    int[] plane = picture.planes()[channel];
    float[] levels = config.levels()[channel];
    int patch = config.patch();
    for (int y = 0; y < patch; y++) {
      int from = (top + y) * picture.width() + left;
      for (int x = 0; x < patch; x++) {
        to[first + y * patch + x] = levels[plane[from + x]];
      }
    }
  }
}
