package roll.api.option;

import java.util.List;
import java.util.Map;
import org.osgi.annotation.versioning.ProviderType;

/**
 * What values an option may have.
 *
 * @param <T> what they are read as
 */
@ProviderType
public sealed interface OptionType<T> {
  /** True or false. */
  record Flag() implements OptionType<Boolean> {}

  /**
   * An integer that fits a Java int.
   *
   * @param least smallest allowed
   * @param most largest allowed
   */
  record Int(int least, int most) implements OptionType<Integer> {}

  /**
   * A finite number.
   *
   * @param least smallest allowed
   * @param most largest allowed
   */
  record Real(double least, double most) implements OptionType<Double> {}

  /**
   * Text.
   *
   * @param words those allowed; empty for any
   */
  record Text(List<String> words) implements OptionType<String> {}

  /** A list of texts; a single text is a list of one. */
  record Texts() implements OptionType<List<String>> {}

  /** A list of anything, read as text. */
  record Elements() implements OptionType<List<String>> {}

  /** A mapping of anything, read as text. */
  record Mapping() implements OptionType<Map<String, String>> {}

  /** A mapping of options of their own. */
  record Nested() implements OptionType<RawOptions> {}
}
