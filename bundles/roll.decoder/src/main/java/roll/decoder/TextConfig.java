package roll.decoder;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The decoder's fields in the config.json of a model with vision: at top level, or in {@code
 * text_config}, as transformers writes them since 4.52.
 */
public final class TextConfig {
  private static final String NESTED = "text_config";
  private static final String SECTIONS = "mrope_section";

  private static final List<String> OF_THE_WHOLE =
      List.of("model_type", "architectures", "tie_word_embeddings");

  private final ConfigReader reader;
  private final ConfigReader rope;

  private TextConfig(ConfigReader reader, ConfigReader rope) {
    this.reader = reader;
    this.rope = rope;
  }

  /**
   * Returns the decoder's fields of {@code config}, the parsed file {@code where}. The whole
   * model's type, class and {@code tie_word_embeddings} take precedence.
   */
  public static TextConfig of(String where, Map<String, @Nullable Object> config) {
    Map<String, @Nullable Object> fields = new HashMap<>(config);
    String source = where;
    if (config.get(NESTED) instanceof Map<?, ?> nested) {
      source = where + ": " + NESTED;
      nested.forEach(
          (key, value) -> {
            if (!OF_THE_WHOLE.contains(key) || config.get(key) == null) {
              fields.put(String.valueOf(key), value);
            }
          });
    }
    String scaling = scaling(fields);
    if (fields.get(scaling) instanceof Map<?, ?> rope) {
      fields.put(scaling, plain(rope));
    }
    ConfigReader reader = new ConfigReader(source, fields);
    return new TextConfig(reader, reader.within(scaling));
  }

  /** Returns the key of the rotary parameters, with transformers' precedence. */
  private static String scaling(Map<String, @Nullable Object> fields) {
    return fields.get("rope_scaling") instanceof Map<?, ?> old && !old.isEmpty()
        ? "rope_scaling"
        : "rope_parameters";
  }

  /** Replaces the former type {@code mrope} by {@code default}, which has the same frequencies. */
  private static Map<String, @Nullable Object> plain(Map<?, ?> given) {
    Map<String, @Nullable Object> plain = new HashMap<>();
    given.forEach((key, value) -> plain.put(String.valueOf(key), value));
    for (String key : List.of("type", "rope_type")) {
      if ("mrope".equals(plain.get(key))) {
        plain.put(key, "default");
      }
    }
    return plain;
  }

  /** Returns the reader of the decoder's fields. */
  public ConfigReader reader() {
    return reader;
  }

  /** Returns the reader of the rotary parameters. */
  public ConfigReader rope() {
    return rope;
  }

  /**
   * Returns the numbers of frequencies for time, height and width, {@code mrope_section}.
   *
   * @param frequencies their sum, half the width of a head
   * @throws roll.api.option.UserException if it is missing or has another sum
   */
  public List<Integer> sections(int frequencies) {
    List<?> given = rope.list(SECTIONS);
    boolean counts =
        given.size() == 3
            && given.stream().allMatch(n -> n instanceof Number number && number.intValue() >= 0);
    List<Integer> sections =
        counts ? given.stream().map(n -> ((Number) n).intValue()).toList() : List.of();
    if (sections.stream().mapToInt(Integer::intValue).sum() != frequencies) {
      throw rope.wrong(
          SECTIONS, "three numbers whose sum is half the width of a head, " + frequencies);
    }
    return sections;
  }
}
