package roll.api.plugin;

import roll.api.option.Option;
import roll.api.option.Options;

/**
 * A plugin named in the options of another plugin: the grader of a reward, the sandbox of a tool. A
 * run waits for it if it is missing, and leases it during a step.
 *
 * @param where the configuration key that names it
 * @param type contract of the service
 * @param kind namespace of its name
 * @param name its name in the configuration
 */
public record PluginReference<T>(String where, Class<T> type, String kind, String name) {
  /** Returns the reference to the plugin named by {@code option}. */
  public static <T> PluginReference<T> of(
      Options options, Option<String> option, Class<T> type, String kind) {
    return new PluginReference<>(
        options.where() + "." + option.name(), type, kind, options.get(option));
  }

  /**
   * Leases the plugin.
   *
   * @throws roll.api.option.UserException listing the registered names, if it is missing
   */
  public Lease<T> lease(Plugins plugins) {
    return plugins.require(where, type, kind, name);
  }
}
