package roll.testkit;

import java.awt.image.BufferedImage;
import java.util.Arrays;
import java.util.Set;
import roll.api.image.ImageGrid;
import roll.api.image.ImagePatches;
import roll.api.image.ImageProcessor;
import roll.api.image.ImageSize;
import roll.api.image.Picture;
import roll.api.model.VisionSpec;
import roll.api.option.UserException;

/**
 * An image processor of pictures that are three bytes: how many tokens they have from top to bottom
 * and from left to right, and what all their pixels are. One without tokens is broken.
 */
public final class FakeImageProcessor implements ImageProcessor {
  /** The token that stands for a square of patches. */
  public static final int IMAGE = 9;

  /** A tower of one layer whose patches are 2 by 2 pixels, and its tokens 2 by 2 patches. */
  public static final VisionSpec VISION =
      new VisionSpec(IMAGE, 8, 1, 8, 2, 8, 1, 1, 2, 2, 4, Set.of());

  private int processed;

  /** A processor that looked at nothing yet. */
  public FakeImageProcessor() {}

  /** A picture of {@code rows} by {@code columns} tokens. */
  public static Picture picture(int rows, int columns, int pixel) {
    return Picture.of(new byte[] {(byte) rows, (byte) columns, (byte) pixel});
  }

  /** How many pictures were looked at. */
  public int processed() {
    return processed;
  }

  @Override
  public ImagePatches process(String where, byte[] picture) {
    processed++;
    ImageGrid grid = grid(where, picture[1], picture[0]);
    float[] values = new float[grid.patches() * VISION.patchSize()];
    Arrays.fill(values, picture[2]);
    int side = VISION.patch() * VISION.merge();
    ImageSize size = new ImageSize(side * picture[1], side * picture[0]);
    return new ImagePatches(size, size, grid, VISION.merge(), values);
  }

  @Override
  public ImagePatches process(String where, BufferedImage picture) {
    throw new UnsupportedOperationException("pictures are three bytes here");
  }

  @Override
  public ImageGrid grid(String where, int width, int height) {
    if (width < 1 || height < 1) {
      throw new UserException(where + ": is broken");
    }
    return new ImageGrid(1, VISION.merge() * height, VISION.merge() * width);
  }
}
