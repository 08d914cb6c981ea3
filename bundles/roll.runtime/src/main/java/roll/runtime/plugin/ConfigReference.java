package roll.runtime.plugin;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.osgi.annotation.versioning.ProviderType;
import roll.runtime.config.NamedPlugin;

/**
 * A configuration key that names a plugin.
 *
 * @param named the plugin and the key that names it
 * @param optionsAt key of its options, for messages and overrides
 * @param options as written there
 * @param replacement writes the name of another plugin there; null if not possible
 */
public record ConfigReference(
    NamedPlugin named,
    String optionsAt,
    Map<String, Object> options,
    @Nullable Replacement replacement) {
  /** Computes the configuration values that name another plugin. */
  @ProviderType
  public interface Replacement {
    /**
     * Returns the overrides of a replacement: new values by key.
     *
     * @param name of the other plugin
     * @param options the given options that it declares
     * @throws roll.api.option.UserException if it cannot be named there
     */
    Map<String, Object> overrides(String name, Map<String, Object> options);
  }

  /** Creates the reference to a plugin named by the key {@code named.where()}, without options. */
  public static ConfigReference of(NamedPlugin named) {
    return of(named, "", Map.of());
  }

  /**
   * Creates the reference to a plugin named by the key {@code named.where()}, with its options at
   * {@code optionsAt}.
   */
  public static ConfigReference of(
      NamedPlugin named, String optionsAt, Map<String, Object> options) {
    return new ConfigReference(
        named,
        optionsAt,
        options,
        (name, kept) -> {
          Map<String, Object> overrides = new LinkedHashMap<>();
          overrides.put(named.where(), name);
          if (kept.size() < options.size()) {
            overrides.put(optionsAt, kept);
          }
          return overrides;
        });
  }
}
