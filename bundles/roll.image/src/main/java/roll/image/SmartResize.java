package roll.image;

import roll.api.image.ImageSize;
import roll.api.option.UserException;

/**
 * The size of a picture for Qwen's models: sides that are multiples of a factor, an area within
 * limits, and nearly the same aspect ratio. The rule is {@code smart_resize} of Hugging Face
 * transformers, models/qwen2_vl/image_processing_qwen2_vl.py; sides are rounded half to even, as in
 * Python.
 *
 * @param factor divisor of both sides: a token's side in pixels
 * @param minPixels minimum area
 * @param maxPixels maximum area
 */
record SmartResize(int factor, long minPixels, long maxPixels) {
  /** Maximum aspect ratio of a picture. */
  static final int MOST_RATIO = 200;

  /**
   * Returns the size for a picture.
   *
   * @param where prefix of messages
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
