package roll.api.option;

import java.util.List;
import java.util.Map;
import org.osgi.annotation.versioning.ProviderType;

/**
 * The type and allowed values of an option.
 *
 * @param <T> Java type of the values
 */
@ProviderType
public sealed interface OptionType<T> {
  /** Option type: true or false. */
  record Flag() implements OptionType<Boolean> {}

  /**
   * A Java int.
   *
   * @param min minimum
   * @param max maximum
   */
  record Int(int min, int max) implements OptionType<Integer> {}

  /**
   * A finite number.
   *
   * @param min minimum
   * @param max maximum
   */
  record Real(double min, double max) implements OptionType<Double> {}

  /**
   * Option type: text.
   *
   * @param choices allowed texts; empty for any
   */
  record Text(List<String> choices) implements OptionType<String> {}

  /** A list of texts; a single text is a list of one. */
  record Texts() implements OptionType<List<String>> {}

  /** Option type: a list whose elements of any type are read as text. */
  record Elements() implements OptionType<List<String>> {}

  /** Option type: a mapping whose keys and values of any type are read as text. */
  record Mapping() implements OptionType<Map<String, String>> {}

  /** Option type: a mapping with options of its own. */
  record Nested() implements OptionType<RawOptions> {}
}
