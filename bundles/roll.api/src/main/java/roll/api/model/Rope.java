package roll.api.model;

import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/**
 * Rotary position embedding (Su et al. 2021, section 3.2): how fast each pair of a head's numbers
 * turns with the position. Frequencies are rounded to 32 bits step by step as transformers does, so
 * that angles at far positions are those a model was trained with.
 *
 * @param frequencies radians a position, the fastest first
 * @param attentionFactor what cosines and sines are multiplied with; 1 except for ways of
 *     stretching the context that sharpen attention
 * @param sections how many of the frequencies turn with the position in time, how many with that in
 *     height and in width, in this order, where tokens have three positions (Wang et al. 2024,
 *     section 2.1); empty where they have one
 */
public record Rope(List<Float> frequencies, double attentionFactor, List<Integer> sections) {
  /** Frequencies of a head. */
  public Rope {
    frequencies = List.copyOf(frequencies);
    sections = List.copyOf(sections);
    int turned = sections.stream().mapToInt(Integer::intValue).sum();
    if (!sections.isEmpty() && (sections.size() != 3 || turned != frequencies.size())) {
      throw new IllegalArgumentException(
          "sections %s of %d frequencies".formatted(sections, frequencies.size()));
    }
  }

  /** Frequencies for tokens with one position. */
  public Rope(List<Float> frequencies, double attentionFactor) {
    this(frequencies, attentionFactor, List.of());
  }

  /** The same frequencies, shared out to three positions. */
  public Rope inSections(List<Integer> shares) {
    return new Rope(frequencies, attentionFactor, shares);
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
   * The stretching of Llama 3.1: waves that fit into the original context {@code high} times and
   * more stay, those that fit less than {@code low} times become {@code factor} times as long, and
   * those between are blended.
   *
   * <p>Source: {@code _compute_llama3_parameters} of transformers, modeling_rope_utils.py.
   *
   * @param original longest context before the stretching
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
   * YaRN's stretching (Peng et al. 2023, section 3): pairs that turn {@code fast} times and more
   * within the original context stay, those that turn less than {@code slow} times turn {@code
   * factor} times slower, and those between are blended by their place.
   *
   * <p>Source: {@code _compute_yarn_parameters} of transformers, modeling_rope_utils.py.
   *
   * @param theta base of the frequencies before the stretching
   * @param original longest context before the stretching
   * @param truncate whether the ends of the blend are whole places
   * @param attentionFactor what cosines and sines are multiplied with
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

  /** The pair, as a place between whole ones, that turns {@code turns} times in the context. */
  private double place(double theta, double turns, int original) {
    return frequencies.size() * Math.log(original / (turns * 2 * Math.PI)) / Math.log(theta);
  }

  private Rope each(UnaryOperator<Float> change) {
    return new Rope(frequencies.stream().map(change).toList(), attentionFactor, sections);
  }
}
