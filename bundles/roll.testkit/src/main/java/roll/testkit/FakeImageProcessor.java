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
 * An image processor of three-byte pictures: the number of rows and columns of tokens, and the
 * value of all pixels. A picture without tokens is refused as broken.
 */
public final class FakeImageProcessor implements ImageProcessor {
  /** The image token of the fake image processor. */
  public static final int IMAGE = 9;

  /** A vision tower of one layer, with patches of 2 × 2 pixels and tokens of 2 × 2 patches. */
  public static final VisionSpec VISION =
      new VisionSpec(IMAGE, 8, 1, 8, 2, 8, 1, 1, 2, 2, 4, Set.of());

  private int processed;

  /** Creates the fake image processor. */
  public FakeImageProcessor() {}

  /** Returns a picture of {@code rows} by {@code columns} tokens. */
  public static Picture picture(int rows, int columns, int pixel) {
    return Picture.of(new byte[] {(byte) rows, (byte) columns, (byte) pixel});
  }

  /** Returns the number of processed pictures. */
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
