package roll.api.model;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/**
 * Rotary position embedding (Su et al. 2021, section 3.2): the rotation frequency of each pair of a
 * head's dimensions. Frequencies are rounded to 32 bits step by step as in transformers, so that
 * angles at distant positions are those a model was trained with.
 *
 * @param frequencies radians per position, in descending order
 * @param attentionFactor factor of cosines and sines; 1 except for context extensions that scale
 *     attention
 * @param sections numbers of adjacent frequencies for the positions in time, height, width, time
 *     and so on in turn, if tokens have three positions (M-RoPE, Wang et al. 2024, section 2.1);
 *     empty if they have one
 */
public record Rope(List<Float> frequencies, double attentionFactor, List<Integer> sections) {
  /** Creates a RoPE and checks the sections. */
  public Rope {
    frequencies = List.copyOf(frequencies);
    sections = List.copyOf(sections);
    int turned = sections.stream().mapToInt(Integer::intValue).sum();
    if (!sections.isEmpty() && turned != frequencies.size()) {
      throw new IllegalArgumentException(
          "sections %s of %d frequencies".formatted(sections, frequencies.size()));
    }
  }

  /** Creates rotary frequencies for tokens with one position. */
  public Rope(List<Float> frequencies, double attentionFactor) {
    this(frequencies, attentionFactor, List.of());
  }

  /** Returns these rotary frequencies divided into M-RoPE sections. */
  public Rope inSections(List<Integer> shares) {
    return new Rope(frequencies, attentionFactor, shares);
  }

  /**
   * Returns these rotary frequencies with interleaved sections: frequency i belongs to height or
   * width if i modulo 3 is 1 or 2, as long as these have any left, otherwise to time (Qwen3-VL
   * Technical Report, 2025, section 2).
   *
   * @param shares numbers of frequencies for time, height and width
   */
  public Rope interleaved(List<Integer> shares) {
    List<Integer> runs = new ArrayList<>(List.of(0));
    for (int i = 0; i < frequencies.size(); i++) {
      int axis = i < 3 * shares.get(i % 3) ? i % 3 : 0;
      while ((runs.size() - 1) % 3 != axis) {
        runs.add(0);
      }
      runs.set(runs.size() - 1, runs.getLast() + 1);
    }
    return inSections(runs);
  }

  /** Returns the axis of every frequency: 0 is time, 1 height, 2 width; empty without sections. */
  public List<Integer> axes() {
    return IntStream.range(0, sections.size())
        .boxed()
        .flatMap(i -> Collections.nCopies(sections.get(i), i % 3).stream())
        .toList();
  }

  /** θ^(−2i / headSize) for each pair i (equation 15). */
  public static Rope standard(double theta, int headSize) {
    return new Rope(
        IntStream.range(0, headSize / 2)
            .mapToObj(i -> 1f / (float) Math.pow(theta, (float) (2 * i) / headSize))
            .toList(),
        1);
  }

  /** Every frequency divided by {@code factor}: position interpolation (Chen et al. 2023). */
  public Rope linear(double factor) {
    return each(frequency -> frequency / (float) factor);
  }

  /**
   * Llama 3.1's context extension: wavelengths that fit into the original context at least {@code
   * high} times stay, those that fit less than {@code low} times are multiplied by {@code factor},
   * and those between are interpolated.
   *
   * <p>Source: {@code _compute_llama3_parameters} of transformers, modeling_rope_utils.py.
   *
   * @param original context length before the extension
   */
  public Rope llama3(double factor, double low, double high, int original) {
    return each(
        frequency -> {
          float wave = (float) (2 * Math.PI) / frequency;
          if (wave < original / high) {
            return frequency;
          }
          if (wave > original / low) {
            return frequency / (float) factor;
          }
          float blend = (original / wave - (float) low) / (float) (high - low);
          return (1 - blend) * frequency / (float) factor + blend * frequency;
        });
  }

  /**
   * YaRN's context extension (Peng et al. 2023, section 3): pairs that rotate at least {@code fast}
   * times within the original context stay, those that rotate less than {@code slow} times are
   * slowed down by {@code factor}, and those between are interpolated linearly by index.
   *
   * <p>Source: {@code _compute_yarn_parameters} of transformers, modeling_rope_utils.py.
   *
   * @param theta base of the original frequencies
   * @param original context length before the extension
   * @param truncate whether the ends of the interpolation are rounded to integers
   * @param attentionFactor factor of cosines and sines
   */
  public Rope yarn(
      double theta,
      double factor,
      double fast,
      double slow,
      int original,
      boolean truncate,
      double attentionFactor) {
    int pairs = frequencies.size();
    double low = place(theta, fast, original);
    double high = place(theta, slow, original);
    double first = Math.max(truncate ? Math.floor(low) : low, 0);
    double last = Math.min(truncate ? Math.ceil(high) : high, 2 * pairs - 1);
    double width = first == last ? 0.001 : last - first;
    return new Rope(
        IntStream.range(0, pairs)
            .mapToObj(
                i -> {
                  float slower = (float) Math.clamp((i - first) / width, 0, 1);
                  float frequency = frequencies.get(i);
                  return frequency / (float) factor * slower + frequency * (1 - slower);
                })
            .toList(),
        attentionFactor,
        sections);
  }

  /** The fractional index of the pair that rotates {@code turns} times within the context. */
  private double place(double theta, double turns, int original) {
    return frequencies.size() * Math.log(original / (turns * 2 * Math.PI)) / Math.log(theta);
  }

  private Rope each(UnaryOperator<Float> change) {
    return new Rope(frequencies.stream().map(change).toList(), attentionFactor, sections);
  }
}
