package roll.torch.vision;

import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.LongStream;
import roll.api.image.ImagePatches;
import roll.api.image.Picture;
import roll.api.model.VisionSpec;
import roll.api.option.UserException;
import roll.api.strategy.TokenBatch;
import roll.decoder.TokenPositions;
import roll.torch.MicroBatch;

/**
 * The pictures of a micro-batch and their placeholders among the tokens. A picture shared by
 * several samples is present once.
 *
 * @param pictures the distinct pictures
 * @param features number of the feature of each placeholder; features are numbered by square over
 *     the concatenated pictures
 * @param places indices of the placeholders in the micro-batch's tokens
 * @param positions of all tokens in time, then height, then width; 0 for padding
 */
record PicturePlaceholders(
    List<ImagePatches> pictures, long[] features, long[] places, long[] positions) {
  /**
   * Finds the placeholders of {@code part} of {@code batch}. A sample without pictures has none,
   * even if it contains such tokens.
   *
   * @throws UserException if placeholders and pictures of a sample do not match, or a picture
   *     cannot be read
   */
  static PicturePlaceholders of(
      TokenBatch batch, MicroBatch part, VisionSpec vision, PicturePatches patches) {
    Builder builder = new Builder(vision, part.tokens().length);
    for (int b = 0; b < part.samples().length; b++) {
      int sample = part.samples()[b];
      int[] tokens =
          Arrays.copyOfRange(batch.tokens(), batch.offsets()[sample], batch.offsets()[sample + 1]);
      List<Picture> shown = batch.pictures(sample);
      if (shown.isEmpty()) {
        builder.text(part.positions()[b]);
      } else {
        builder.add(
            sample, part.positions()[b], tokens, shown, shown.stream().map(patches::of).toList());
      }
    }
    return builder.build();
  }

  /** Returns the tensors, owned by {@code owner}. */
  VisionInput tensors(NDManager owner, VisionSpec vision) {
    return new VisionInput(
        owner.create(positions, new Shape(3, positions.length / 3)),
        owner.create(places),
        TowerInput.of(owner, vision, pictures, features));
  }

  /** Builds the placeholders by concatenating samples. */
  private static final class Builder {
    private final VisionSpec vision;
    private final int count;
    private final long[] positions;
    private final Map<Picture, Integer> first = new LinkedHashMap<>();
    private final List<ImagePatches> pictures = new ArrayList<>();
    private final Set<Integer> placed = new HashSet<>();
    private final LongStream.Builder features = LongStream.builder();
    private final LongStream.Builder places = LongStream.builder();
    private int squares;

    Builder(VisionSpec vision, int count) {
      this.vision = vision;
      this.count = count;
      this.positions = new long[3 * count];
    }

    void text(int[] at) {
      for (int t = 0; t < at.length; t++) {
        set(at[t], t, t, t);
      }
    }

    void add(int sample, int[] at, int[] tokens, List<Picture> shown, List<ImagePatches> patches) {
      TokenPositions found;
      try {
        found =
            TokenPositions.of(tokens, vision, patches.stream().map(ImagePatches::grid).toList());
      } catch (IllegalArgumentException e) {
        throw new UserException("sample %d: %s".formatted(sample, e.getMessage()), e);
      }
      long[] numbers = numbers(shown, patches);
      int image = 0;
      for (int t = 0; t < tokens.length; t++) {
        set(at[t], found.time()[t], found.height()[t], found.width()[t]);
        if (tokens[t] == vision.imageToken()) {
          if (placed.add(at[t])) { // not in a prefix shared with a sample before
            places.add(at[t]);
            features.add(numbers[image]);
          }
          image++;
        }
      }
    }

    /** Returns the feature number of each image token of a sample. */
    private long[] numbers(List<Picture> shown, List<ImagePatches> patches) {
      LongStream.Builder numbers = LongStream.builder();
      for (int i = 0; i < shown.size(); i++) {
        ImagePatches picture = patches.get(i);
        int from = first.computeIfAbsent(shown.get(i), unused -> append(picture));
        LongStream.range(from, (long) from + picture.tokens()).forEach(numbers::add);
      }
      return numbers.build().toArray();
    }

    private int append(ImagePatches picture) {
      int from = squares;
      pictures.add(picture);
      squares += picture.tokens();
      return from;
    }

    private void set(int at, int time, int height, int width) {
      positions[at] = time;
      positions[count + at] = height;
      positions[2 * count + at] = width;
    }

    PicturePlaceholders build() {
      return new PicturePlaceholders(
          pictures, features.build().toArray(), places.build().toArray(), positions);
    }
  }
}
