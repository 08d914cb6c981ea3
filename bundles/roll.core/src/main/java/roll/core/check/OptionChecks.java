package roll.core.check;

import java.util.function.BiConsumer;
import roll.api.option.Options;
import roll.api.plugin.Lease;
import roll.api.plugin.Plugins;
import roll.api.tracking.Tracker;
import roll.core.plugin.PluginRequirement;
import roll.runtime.config.RoleConfig;
import roll.runtime.config.RunConfig;
import roll.runtime.option.YamlOptions;
import roll.runtime.plugin.ConfigReference;
import roll.runtime.plugin.PluginKind;
import roll.runtime.plugin.PluginKinds;
import roll.runtime.plugin.RegisteredKind;
import roll.runtime.plugin.RoleReferences;
import roll.runtime.plugin.StockKinds;

/**
 * Whether plugins that a configuration names are there and declare the options they are given. Each
 * method throws the {@link roll.api.option.UserException} of the first that is not or does not.
 */
public final class OptionChecks {
  private OptionChecks() {}

  /** Checks the options of the trackers of {@code run}. */
  static void trackers(RunConfig run, Plugins plugins) {
    for (ConfigReference place : StockKinds.TRACKER.places().apply(run)) {
      check(place, StockKinds.TRACKER.kind(), plugins, Tracker::check);
    }
  }

  /** Checks the custom plugin kinds of {@code run}, and their plugins. */
  public static void plugins(RunConfig run, Plugins plugins) {
    run.extensions().kinds().forEach(name -> PluginKinds.require(plugins, name).close());
    try (PluginKinds kinds = PluginKinds.of(plugins)) {
      kinds.own().forEach(kind -> check(kind, run, plugins));
    }
  }

  /**
   * Looks at all roles of one's own of {@code run}; what they can be asked shows when they are
   * opened.
   */
  static void roles(RunConfig run, Plugins plugins) {
    for (RoleConfig own : run.extensions().roles()) {
      check(
          RoleReferences.worker(run, own.role()),
          StockKinds.WORKER.kind(),
          plugins,
          (worker, options) -> {});
    }
  }

  private static <S> void check(RegisteredKind<S> kind, RunConfig run, Plugins plugins) {
    kind.places()
        .apply(run)
        .forEach(place -> check(place, kind.kind(), plugins, (plugin, options) -> {}));
  }

  private static <S> void check(
      ConfigReference place, PluginKind<S> kind, Plugins plugins, BiConsumer<S, Options> more) {
    PluginRequirement<S> requirement = new PluginRequirement<>(place.named(), kind.type());
    try (Lease<S> lease = requirement.lease(plugins)) {
      S plugin = lease.service();
      more.accept(
          plugin, YamlOptions.checked(place.optionsAt(), place.options(), kind.options(plugin)));
    }
  }
}
