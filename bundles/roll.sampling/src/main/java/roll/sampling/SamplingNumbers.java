package roll.sampling;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import roll.torch.Kernels;

/**
 * The parameters of {@link SamplingTensors} in one array of integers, for steps that are recorded
 * once and replayed with other rows: a layout depends only on the {@link #widths}. Real numbers are
 * the bits of doubles.
 */
public final class SamplingNumbers {
  private static final SamplerInput[] SETTINGS = SamplerInput.values();

  private final SamplerValues values;
  private final int ahead;

  private SamplingNumbers(SamplerValues values, int ahead) {
    this.values = values;
    this.ahead = ahead;
  }

  /**
   * Returns the parameters of {@code rows} for their next tokens.
   *
   * @param rows without {@link ResponseState#restricted restricted} ones
   * @param ahead maximum tokens that are sampled with them
   */
  public static SamplingNumbers of(List<ResponseState> rows, int ahead) {
    return new SamplingNumbers(SamplerValues.of(rows), ahead);
  }

  /**
   * Returns the source of {@code recorded_settings}, to be compiled with {@link SampleKernels}, and
   * called with an array and its widths.
   */
  public static String source() {
    return Kernels.source(SamplingNumbers.class, "recorded_settings.py");
  }

  /**
   * Returns the numbers of a row for each setting, 0 for those that no row uses. Lists of tokens
   * have a power of two, with room for the tokens that are sampled.
   */
  public List<Integer> widths() {
    return Arrays.stream(SETTINGS).map(this::width).toList();
  }

  private int width(SamplerInput setting) {
    // stop tokens are read only below a minimum length; the caller checks them otherwise
    if (setting == SamplerInput.STOPS && values.get(SamplerInput.MIN_TOKENS) == null) {
      return 0;
    }
    return switch (values.get(setting)) {
      case null -> 0;
      case SamplerValues.Bits bits -> throw new IllegalStateException("a row is restricted");
      case SamplerValues.Tokens tokens ->
          power(tokens.width() + (setting == SamplerInput.SEEN ? ahead : 0));
      case SamplerValues.Floats floats -> power(floats.width());
      case SamplerValues.Counts counts -> 1;
    };
  }

  private static int power(int least) {
    return Integer.highestOneBit(2 * least - 1);
  }

  /** Returns how many integers {@code rows} rows take. */
  public static int size(int rows, List<Integer> widths) {
    return rows * widths.stream().mapToInt(width -> width).sum();
  }

  /**
   * Writes the parameters from {@code target[at]} on, padded to {@code rows} rows that are greedy
   * and without other settings.
   *
   * @param widths at least those of {@link #widths}
   */
  public void put(long[] target, int at, int rows, List<Integer> widths) {
    int from = at;
    for (int i = 0; i < SETTINGS.length; i++) {
      SamplerInput setting = SETTINGS[i];
      int width = widths.get(i);
      Arrays.fill(target, from, from + rows * width, off(setting));
      for (int row = 0; width > 0 && row < values.rows(); row++) {
        put(values.get(setting), row, target, from + row * width);
      }
      from += rows * width;
    }
  }

  private static void put(SamplerValues.@Nullable Numbers numbers, int row, long[] target, int at) {
    switch (numbers) {
      case null -> {}
      case SamplerValues.Bits bits -> throw new IllegalStateException("a row is restricted");
      case SamplerValues.Floats floats -> {
        for (int i = 0; i < floats.width(); i++) {
          target[at + i] = bits(floats.values()[row * floats.width() + i]);
        }
      }
      case SamplerValues.Counts counts -> target[at] = counts.values()[row];
      case SamplerValues.Tokens tokens ->
          System.arraycopy(tokens.values(), row * tokens.width(), target, at, tokens.width());
    }
  }

  /** Returns the number of a row without {@code setting}. */
  private static long off(SamplerInput setting) {
    return switch (setting) {
      case STOPS, SEEN, ALLOWED, BIASED -> -1;
      case TOP_P, REPETITION_PENALTY -> bits(1);
      case TEMPERATURE, MIN_P, TOP_K, SMALL_TOP_K, MIN_TOKENS, BIAS, MASK -> 0;
    };
  }

  private static long bits(float number) {
    return Double.doubleToRawLongBits(number);
  }
}
