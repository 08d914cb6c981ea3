package roll.image;

import roll.api.image.ImageSize;
import roll.api.option.UserException;

/**
 * The size that Qwen's models see a picture in: sides that are multiples of a factor, an area
 * within limits, and nearly the same ratio of the sides. The rule is {@code smart_resize} of
 * Hugging Face transformers, models/qwen2_vl/image_processing_qwen2_vl.py; sides are rounded half
 * to even, as Python does.
 *
 * @param factor that both sides are multiples of: a token's side in pixels
 * @param minPixels smallest area
 * @param maxPixels largest area
 */
record SmartResize(int factor, long minPixels, long maxPixels) {
  /** Longest side by shortest. */
  static final int MOST_RATIO = 200;

  /**
   * The size for a picture.
   *
   * @param where begins a complaint
   * @throws UserException if one side is more than 200 times the other
   */
  ImageSize of(String where, int width, int height) {
    double ratio = Math.max(width, height) / (double) Math.min(width, height);
    if (ratio > MOST_RATIO) {
      throw new UserException(
          "%s: %d by %d pixels: a side may be at most %d times the other"
              .formatted(where, width, height, MOST_RATIO));
    }
    long high = Math.round(Math.rint(height / (double) factor)) * factor;
    long wide = Math.round(Math.rint(width / (double) factor)) * factor;
    double area = (double) height * width;
    if (high * wide > maxPixels) {
      double shrink = Math.sqrt(area / maxPixels);
      high = Math.max(factor, (long) Math.floor(height / shrink / factor) * factor);
      wide = Math.max(factor, (long) Math.floor(width / shrink / factor) * factor);
    } else if (high * wide < minPixels) {
      double grow = Math.sqrt(minPixels / area);
      high = (long) Math.ceil(height * grow / factor) * factor;
      wide = (long) Math.ceil(width * grow / factor) * factor;
    }
    return new ImageSize(Math.toIntExact(wide), Math.toIntExact(high));
  }
}
