package roll.ui.system;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import roll.runtime.pipeline.Trainer;
import roll.runtime.pipeline.TrainingRun;
import roll.runtime.plugin.OfferedService;
import roll.runtime.plugin.PluginRegistry;
import roll.ui.system.ConfiguredPlugins.Configured;

/** Services by kind, their bundles, the runs that use them, and runs that wait. */
final class ServicesView {
  private final Trainer trainer;
  private final PluginRegistry plugins;
  private final ConfiguredPlugins configured;
  private final UnavailablePlugins unavailable = new UnavailablePlugins();

  /** The services of {@code plugins}, and the runs of {@code trainer}. */
  ServicesView(Trainer trainer, PluginRegistry plugins, ConfiguredPlugins configured) {
    this.trainer = trainer;
    this.plugins = plugins;
    this.configured = configured;
  }

  /**
   * All services as the page shows them.
   *
   * @param kinds by namespace, sorted
   * @param waiting runs that wait
   */
  record View(List<Kind> kinds, List<Waiting> waiting) {}

  /** The services of a kind, which is their namespace. */
  record Kind(String kind, List<Service> services) {}

  /**
   * A registered service under one of its names.
   *
   * @param from the file that its bundle was deployed from, or null
   * @param trouble why it is unavailable, or null
   * @param usedBy numbers of the active runs whose current step uses it
   */
  record Service(
      String id,
      String bundle,
      String version,
      @Nullable String from,
      @Nullable String trouble,
      List<Integer> usedBy) {}

  /** The reason why a run waits. */
  record Waiting(int run, String line) {}

  /** Returns the current services of the services view. For one thread at a time. */
  View view() {
    List<TrainingRun> active =
        trainer.runs().stream().filter(run -> run.status().state().active()).toList();
    Map<TrainingRun, List<Configured>> named = new LinkedHashMap<>();
    List<Waiting> waiting = new ArrayList<>();
    for (TrainingRun run : active) {
      named.put(run, configured.of(run));
      String line = run.status().waiting();
      if (line != null) {
        waiting.add(new Waiting(run.number(), line));
      }
    }
    List<Kind> kinds = new ArrayList<>();
    Set<Long> seen = new HashSet<>();
    for (String kind : plugins.kinds()) {
      List<Service> services = new ArrayList<>();
      List<OfferedService> offered = plugins.offered(kind);
      for (OfferedService service : offered) {
        seen.add(service.number());
        boolean alone = ids(offered, service.bundle()) == 1;
        service.ids().forEach(id -> services.add(row(service, id, alone, named)));
      }
      kinds.add(new Kind(kind, services));
    }
    unavailable.retain(seen);
    return new View(kinds, waiting);
  }

  /** Returns the number of plugins of one kind in a bundle. */
  private static int ids(List<OfferedService> offered, String bundle) {
    return offered.stream()
        .filter(service -> service.bundle().equals(bundle))
        .mapToInt(service -> service.ids().size())
        .sum();
  }

  private Service row(
      OfferedService service, String id, boolean alone, Map<TrainingRun, List<Configured>> named) {
    List<Integer> usedBy = new ArrayList<>();
    named.forEach(
        (run, all) -> {
          if (serves(service, run) && mayUse(service.kind(), id, alone, all)) {
            usedBy.add(run.number());
          }
        });
    return new Service(
        id,
        service.bundle(),
        service.version(),
        service.from().isEmpty() ? null : service.from(),
        unavailable.of(service, id, plugins),
        usedBy);
  }

  /** Returns whether the current step uses its bundle. */
  private static boolean serves(OfferedService service, TrainingRun run) {
    return List.of(run.status().served().split(", ", -1))
        .contains(service.bundle() + " " + service.version());
  }

  /**
   * Returns whether a run uses a plugin of a bundle in use: one that its configuration names. Of a
   * kind that configurations do not name, such as model families, it is the only one of the bundle.
   */
  private static boolean mayUse(String kind, String id, boolean alone, List<Configured> all) {
    List<Configured> ofKind =
        all.stream().filter(plugin -> plugin.namespace().equals(kind)).toList();
    return ofKind.isEmpty() ? alone : ofKind.stream().anyMatch(plugin -> plugin.id().equals(id));
  }
}
