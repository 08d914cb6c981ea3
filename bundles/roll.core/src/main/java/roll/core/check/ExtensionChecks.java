package roll.core.check;

import roll.api.plugin.Lease;
import roll.api.plugin.Plugins;
import roll.core.plugin.PluginRequirement;
import roll.runtime.config.Named;
import roll.runtime.config.PluginConfig;
import roll.runtime.config.RoleConfig;
import roll.runtime.config.RunConfig;
import roll.runtime.option.YamlOptions;
import roll.runtime.plugin.PluginKind;
import roll.runtime.plugin.PluginKinds;
import roll.runtime.worker.WorkerRole;

/** Whether plugins of kinds of one's own and roles of one's own are there, with their options. */
public final class ExtensionChecks {
  private ExtensionChecks() {}

  /**
   * Looks at all plugins of kinds of one's own that {@code run} names.
   *
   * @throws roll.api.option.UserException for the first whose kind is not there, that is not there,
   *     or that is given an option it does not declare
   */
  public static void plugins(RunConfig run, Plugins plugins) {
    for (PluginConfig plugin : run.extensions().plugins()) {
      try (Lease<PluginKind<?>> kind = PluginKinds.require(plugins, plugin.kind())) {
        check(plugin, kind.service(), plugins);
      }
    }
  }

  /**
   * Looks at all roles of one's own of {@code run}; what they can be asked shows when they are
   * opened.
   *
   * @throws roll.api.option.UserException for the first that is not there, or that is given an
   *     option it does not declare
   */
  static void roles(RunConfig run, Plugins plugins) {
    for (RoleConfig own : run.extensions().roles()) {
      try (Lease<WorkerRole> lease = PluginRequirement.worker(run, own.role()).lease(plugins)) {
        var unused =
            YamlOptions.checked(
                own.role() + ".worker_config", own.options(), lease.service().options());
      }
    }
  }

  private static <S> void check(PluginConfig plugin, PluginKind<S> kind, Plugins plugins) {
    Named named = PluginKinds.named(plugin);
    try (Lease<S> lease =
        plugins.require(named.where(), kind.type(), named.kind(), plugin.name())) {
      var unused =
          YamlOptions.checked(
              named.where() + "." + plugin.name(), plugin.options(), kind.options(lease.service()));
    }
  }
}
