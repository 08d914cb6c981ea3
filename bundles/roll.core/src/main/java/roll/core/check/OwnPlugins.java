package roll.core.check;

import roll.api.option.Options;
import roll.api.plugin.Lease;
import roll.api.plugin.Plugins;
import roll.runtime.config.Named;
import roll.runtime.config.PluginConfig;
import roll.runtime.config.RunConfig;
import roll.runtime.plugin.PluginKind;
import roll.runtime.plugin.PluginKinds;

/** Whether the plugins of kinds of one's own are there and accept their options. */
public final class OwnPlugins {
  private OwnPlugins() {}

  /**
   * Looks at all that {@code run} names.
   *
   * @throws roll.api.option.UserException for the first whose kind is not there, that is not there,
   *     or that is given an option it does not declare
   */
  public static void check(RunConfig run, Plugins plugins) {
    for (PluginConfig plugin : run.extensions().plugins()) {
      try (Lease<PluginKind<?>> kind = PluginKinds.require(plugins, plugin.kind())) {
        check(plugin, kind.service(), plugins);
      }
    }
  }

  private static <S> void check(PluginConfig plugin, PluginKind<S> kind, Plugins plugins) {
    Named named = PluginKinds.named(plugin);
    try (Lease<S> lease =
        plugins.require(named.where(), kind.type(), named.kind(), plugin.name())) {
      var unused =
          Options.of(
              named.where() + "." + plugin.name(), plugin.options(), kind.options(lease.service()));
    }
  }
}
