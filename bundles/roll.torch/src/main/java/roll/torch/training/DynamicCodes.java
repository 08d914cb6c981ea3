package roll.torch.training;

import java.util.Arrays;

/**
 * The numbers from −1 to 1 that bytes mean in dynamic quantization (Dettmers et al. 2022, section
 * 1.3): 0, 1, and seven decades, each divided twice as finely as the smaller one. Numbers as in
 * {@code create_dynamic_map} of {@code
 * TimDettmers/bitsandbytes@dada530149212d64d4b69534716202659ef37ec8:bitsandbytes/functional.py#L339}.
 */
final class DynamicCodes {
  private static final int DECADES = 7;
  private static final int UPPER_HALVES = 1 << 16;

  private DynamicCodes() {}

  /** Returns the 256 numbers of first moments, ascending. */
  static float[] signed() {
    return codes(true);
  }

  /** Returns the 256 numbers of second moments, ascending. */
  static float[] unsigned() {
    return codes(false);
  }

  private static float[] codes(boolean signed) {
    float[] codes = new float[256];
    int count = 0;
    for (int decade = 0; decade < DECADES; decade++) {
      int parts = signed ? 1 << decade : 2 << decade;
      for (int i = 0; i < parts; i++) {
        double middle = 0.1 + 0.9 * (i + 0.5) / parts;
        float code = (float) (middle * Math.pow(10, decade - (DECADES - 1)));
        codes[count++] = code;
        if (signed) {
          codes[count++] = -code;
        }
      }
    }
    codes[count] = 1; // and 0, which is there
    Arrays.sort(codes);
    return codes;
  }

  /** Returns the largest number that each byte stores: the middle to the next code, or infinity. */
  static float[] ends(float[] codes) {
    float[] ends = new float[codes.length];
    for (int i = 0; i < ends.length - 1; i++) {
      ends[i] = (codes[i] + codes[i + 1]) / 2;
    }
    ends[ends.length - 1] = Float.POSITIVE_INFINITY;
    return ends;
  }

  /**
   * Returns the number of ends below the minimum with given upper 16 bits, for those bits from
   * −32,768 to 32,767. A search among 255 ends takes seven times as long.
   */
  static byte[] starts(float[] ends) {
    byte[] starts = new byte[UPPER_HALVES];
    for (int i = 0; i < UPPER_HALVES; i++) {
      int upper = i - UPPER_HALVES / 2;
      float least = Float.intBitsToFloat((upper << 16) | (upper < 0 ? 0xFFFF : 0));
      int below = 0;
      while (ends[below] < least) {
        below++;
      }
      starts[i] = (byte) below;
    }
    return starts;
  }
}
