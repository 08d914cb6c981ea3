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

  private Rope each(UnaryOperator<Float> change) {
    return new Rope(frequencies.stream().map(change).toList(), attentionFactor, sections);
  }
}
