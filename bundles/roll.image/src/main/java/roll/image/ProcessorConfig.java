package roll.image;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import roll.decoder.ConfigReader;

/**
 * The content of {@code preprocessor_config.json} of Qwen2-VL and Qwen2.5-VL, with the defaults of
 * Hugging Face transformers, models/qwen2_vl/image_processing_qwen2_vl.py.
 *
 * @param resizes whether pictures are resized
 * @param resampling filter
 * @param minPixels minimum area
 * @param maxPixels maximum area
 * @param patch side of a patch in pixels
 * @param frames of a patch; a picture is repeated this many times
 * @param merge side of the squares of patches that become one token
 * @param levels for each channel the normalized value of each of the 256 levels
 */
record ProcessorConfig(
    boolean resizes,
    Resampling resampling,
    long minPixels,
    long maxPixels,
    int patch,
    int frames,
    int merge,
    float[][] levels) {
  private static final List<Double> CLIP_MEAN = List.of(0.48145466, 0.4578275, 0.40821073);
  private static final List<Double> CLIP_DEVIATION = List.of(0.26862954, 0.26130258, 0.27577711);
  private static final int LEVELS = 256;

  /** Reads a file; unsupported values are refused by name. */
  static ProcessorConfig read(String where, Map<String, @Nullable Object> config) {
    ConfigReader read = new ConfigReader(where, config);
    ConfigReader size = read.within("size");
    int least = size.count("shortest_edge", 56 * 56);
    int most = size.count("longest_edge", 28 * 28 * 1280);
    int minPixels = read.count("min_pixels", least);
    int maxPixels = read.count("max_pixels", most);
    if (minPixels > maxPixels) {
      throw read.wrong(read.has("min_pixels") ? "min_pixels" : "size", "at most " + maxPixels);
    }
    return new ProcessorConfig(
        read.flag("do_resize", true),
        resampling(read),
        minPixels,
        maxPixels,
        read.count("patch_size", 14),
        read.count("temporal_patch_size", 2),
        read.count("merge_size", 2),
        levels(read));
  }

  /** Returns the filter by Pillow's number. */
  private static Resampling resampling(ConfigReader read) {
    return switch (read.has("resample") ? read.count("resample") : 3) {
      case 2 -> Resampling.BILINEAR;
      case 3 -> Resampling.BICUBIC;
      default -> throw read.wrong("resample", "2 (bilinear) or 3 (bicubic)");
    };
  }

  /** Returns the levels, rescaled and normalized in f32, as numpy does. */
  private static float[][] levels(ConfigReader read) {
    boolean normalizes = read.flag("do_normalize", true);
    double scale = read.flag("do_rescale", true) ? read.positive("rescale_factor", 1 / 255.0) : 1;
    List<Double> means = channels(read, "image_mean", CLIP_MEAN);
    List<Double> deviations = channels(read, "image_std", CLIP_DEVIATION);
    float[][] levels = new float[RgbPicture.CHANNELS][LEVELS];
    for (int c = 0; c < levels.length; c++) {
      float mean = means.get(c).floatValue();
      float deviation = deviations.get(c).floatValue();
      if (deviation <= 0) {
        throw read.wrong("image_std", "numbers above 0");
      }
      for (int level = 0; level < LEVELS; level++) {
        float value = (float) (level * scale);
        levels[c][level] = normalizes ? (value - mean) / deviation : value;
      }
    }
    return levels;
  }

  private static List<Double> channels(ConfigReader read, String key, List<Double> standard) {
    List<?> found = read.list(key);
    if (found.isEmpty()) {
      return standard;
    }
    if (found.size() != RgbPicture.CHANNELS || !found.stream().allMatch(Number.class::isInstance)) {
      throw read.wrong(key, "three numbers");
    }
    return found.stream().map(number -> ((Number) number).doubleValue()).toList();
  }

  /** Returns the side of a token in pixels. */
  int factor() {
    return patch * merge;
  }
}
