package roll.api.plugin;

import roll.api.option.Option;
import roll.api.option.Options;

/**
 * A plugin that another one works with, as the options of that one say: the grader of a reward, the
 * sandbox of a tool. A run waits for it where it is missing, and keeps it while a step goes on.
 *
 * @param where the key that names it
 * @param type contract of the service
 * @param kind namespace of its name
 * @param name as the configuration has it
 */
public record PluginReference<T>(String where, Class<T> type, String kind, String name) {
  /** The one that {@code option} names. */
  public static <T> PluginReference<T> of(
      Options options, Option<String> option, Class<T> type, String kind) {
    return new PluginReference<>(
        options.where() + "." + option.name(), type, kind, options.get(option));
  }

  /**
   * A lease of it.
   *
   * @throws roll.api.option.UserException listing the registered names, if it is not there
   */
  public Lease<T> lease(Plugins plugins) {
    return plugins.require(where, type, kind, name);
  }
}
