package roll.torch.model;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import java.util.List;
import roll.api.model.DecoderSpec;
import roll.torch.Device;

/**
 * Cosines and sines of a decoder's rotary position embedding, computed up to the largest requested
 * position: a context of 131,072 positions is rarely used to its end. Owns its tensors. Used only
 * on the compute thread.
 *
 * <p>The halves of a head are rotated against each other (Su et al. 2021, equation 34, in Hugging
 * Face's layout), so each half of a row repeats the angles; the first half of the sines is negated.
 * Angles are products of 32-bit floats, as in transformers.
 */
public final class RotaryTable implements AutoCloseable {
  /** Minimum number of positions of the rotary table. */
  private static final int FIRST = 256;

  private final Device device;
  private final DecoderSpec spec;
  private NDManager owner;
  private NDArray cos;
  private NDArray sin;

  /** Creates a table of the first positions. */
  public RotaryTable(Device device, DecoderSpec spec) {
    this.device = device;
    this.spec = spec;
    this.owner = device.newManager();
    int first = Math.min(FIRST, spec.maxPositions());
    this.cos = table(first, true);
    this.sin = table(first, false);
  }

  /**
   * Grows the table to {@code positions} positions, at least by a factor of two.
   *
   * @throws IllegalArgumentException if the model has fewer positions
   */
  public void reach(int positions) {
    int most = spec.maxPositions();
    if (positions > most) {
      throw new IllegalArgumentException(positions + " tokens, but only " + most + " positions");
    }
    int present = Math.toIntExact(cos.getShape().get(0));
    if (positions > present) {
      owner.close();
      owner = device.newManager();
      int next = (int) Math.min(most, Math.max(positions, 2L * present));
      cos = table(next, true);
      sin = table(next, false);
    }
  }

  private NDArray table(int positions, boolean cosines) {
    int headSize = spec.attention().headSize();
    return owner.create(values(spec, positions, cosines), new Shape(positions, 1, headSize));
  }

  static float[] values(DecoderSpec spec, int positions, boolean cosines) {
    List<Float> frequencies = spec.rope().frequencies();
    double factor = spec.rope().attentionFactor();
    int half = frequencies.size();
    float[] table = new float[positions * 2 * half];
    for (int p = 0; p < positions; p++) {
      for (int i = 0; i < half; i++) {
        float angle = p * frequencies.get(i);
        double value = factor * (cosines ? Math.cos(angle) : Math.sin(angle));
        int at = p * 2 * half + i;
        table[at] = (float) (cosines ? value : -value);
        table[at + half] = (float) value;
      }
    }
    return table;
  }

  /** Returns the cosines, f32 [positions, 1, headSize]. */
  public NDArray cos() {
    return cos;
  }

  /** Returns the sines, f32 [positions, 1, headSize], the first half of each row negated. */
  public NDArray sin() {
    return sin;
  }

  @Override
  public void close() {
    owner.close();
  }
}
