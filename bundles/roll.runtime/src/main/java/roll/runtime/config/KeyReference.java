package roll.runtime.config;

import java.util.List;
import org.osgi.annotation.versioning.ProviderType;

/** Looks up the configuration keys of this project, which are ROLL's, and of other frameworks. */
@ProviderType
public interface KeyReference {
  /** Names of the frameworks that have a table of keys. */
  List<String> FRAMEWORKS = List.of("roll", "verl", "agentfly", "trl");

  /** Returns all keys of {@code framework}, one of {@link #FRAMEWORKS}, in the table's order. */
  List<Entry> keys(String framework);

  /**
   * One configuration key with its values and default.
   *
   * @param key its path
   * @param values allowed values
   * @param defaultValue default, {@code required}, or empty for none
   * @param status {@code used}, {@code translated} to other keys, {@code alias} of another key,
   *     {@code ignored}, or {@code refused} unless it has its default
   * @param here the corresponding key of this project, or empty
   * @param reason the translation, or why it is ignored or refused; may be empty
   */
  record Entry(
      String key, String values, String defaultValue, String status, String here, String reason) {}
}
