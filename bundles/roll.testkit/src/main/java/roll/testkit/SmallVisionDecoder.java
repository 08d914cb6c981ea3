package roll.testkit;

import java.awt.image.BufferedImage;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;
import roll.api.data.RandomStreams;
import roll.api.image.ImageGrid;
import roll.api.image.ImagePatches;
import roll.api.image.ImageProcessor;
import roll.api.image.ImageSize;
import roll.api.image.Picture;
import roll.api.model.DecoderSpec;
import roll.api.model.DecoderSpec.Attention;
import roll.api.model.DecoderSpec.Trait;
import roll.api.model.Rope;
import roll.api.model.VisionSpec;
import roll.api.model.VisionSpec.DeepStack;
import roll.api.strategy.TokenBatch;

/** A small vision-language decoder, and samples with pictures of random patches. */
public final class SmallVisionDecoder {
  /** A vision tower of two layers with windows of two by two tokens. */
  public static final VisionSpec TOWER =
      new VisionSpec(10, 11, 2, 16, 2, 12, 3, 2, 2, 2, 8, Set.of(1));

  /** A vision tower of three layers with DeepStack, for the same pictures. */
  public static final VisionSpec DEEP_TOWER =
      new VisionSpec(
          10, 11, 3, 16, 2, 12, 3, 2, 2, 2, 0, Set.of(), new DeepStack(3, List.of(0, 1)));

  private SmallVisionDecoder() {}

  /** Returns the specification of a decoder with {@link #TOWER}. */
  public static DecoderSpec spec(Set<Trait> traits) {
    return spec(traits, TOWER);
  }

  /** Returns the specification of a decoder with {@code tower}. */
  public static DecoderSpec spec(Set<Trait> traits, VisionSpec tower) {
    return new DecoderSpec(
            "test",
            12,
            24,
            24,
            tower.vectors() + 1,
            new Attention(4, 2, 6),
            Rope.standard(10000, 6).inSections(List.of(1, 1, 1)),
            512,
            1e-5,
            traits,
            0.2)
        .seeing(tower);
  }

  /** Returns a picture of {@code rows} by {@code columns} patches. */
  public static Picture picture(int rows, int columns) {
    return Picture.of(new byte[] {(byte) rows, (byte) columns});
  }

  /** Returns three samples: two pictures, text, and the smaller picture again. */
  public static TokenBatch batch() {
    int[] tokens = {
      3, 1, 10, 10, 10, 10, 10, 10, 4, 10, 10, 5, 9, // six image tokens, two image tokens
      2, 6, 5, 3, //
      5, 10, 10, 8, 9, 7
    };
    boolean[] scored = new boolean[tokens.length];
    for (int t : new int[] {1, 8, 11, 12, 14, 15, 16, 20, 21, 22}) {
      scored[t] = true;
    }
    Picture large = picture(6, 4);
    Picture small = picture(2, 4);
    return new TokenBatch(
        new int[] {0, 13, 17, 23},
        tokens,
        scored,
        List.of(List.of(large, small), List.of(), List.of(small)));
  }

  /** Returns the processor of the sample pictures. */
  public static ImageProcessor processor() {
    return new Processor();
  }

  /** Fills the patches of a picture with random numbers. */
  private static final class Processor implements ImageProcessor {
    @Override
    public ImagePatches process(String where, byte[] picture) {
      ImageGrid grid = new ImageGrid(1, picture[0], picture[1]);
      float[] values = new float[grid.patches() * TOWER.patchSize()];
      RandomGenerator random = RandomStreams.of(picture[0], "picture " + picture[1]);
      for (int i = 0; i < values.length; i++) {
        values[i] = (float) random.nextGaussian();
      }
      ImageSize size = new ImageSize(grid.columns() * 2, grid.rows() * 2);
      return new ImagePatches(size, size, grid, 2, values);
    }

    @Override
    public ImagePatches process(String where, BufferedImage picture) {
      throw new UnsupportedOperationException(where);
    }

    @Override
    public ImageGrid grid(String where, int width, int height) {
      throw new UnsupportedOperationException(where);
    }
  }
}
