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
import roll.ui.system.PluginsInUse.InUse;

/** Which bundle offers what, which run uses it, and what runs wait for. */
final class ServicesPage {
  private final Trainer trainer;
  private final PluginRegistry plugins;
  private final PluginsInUse inUse;
  private final TroubleLines troubles = new TroubleLines();

  /** Of what {@code plugins} sees, and the runs of {@code trainer}. */
  ServicesPage(Trainer trainer, PluginRegistry plugins, PluginsInUse inUse) {
    this.trainer = trainer;
    this.plugins = plugins;
    this.inUse = inUse;
  }

  /**
   * All of it.
   *
   * @param kinds by namespace, sorted
   * @param waiting runs that wait for something
   */
  record View(List<Kind> kinds, List<Waiting> waiting) {}

  /** The services of a kind, which is their namespace. */
  record Kind(String kind, List<Service> services) {}

  /**
   * A name of a service.
   *
   * @param from the file that its bundle was deployed from, or null
   * @param trouble why it cannot be had, or null
   * @param usedBy numbers of the active runs whose current step has it
   */
  record Service(
      String id,
      String bundle,
      String version,
      @Nullable String from,
      @Nullable String trouble,
      List<Integer> usedBy) {}

  /** What a run waits for. */
  record Waiting(int run, String line) {}

  /** At this moment. For one thread at a time. */
  View view() {
    List<TrainingRun> active =
        trainer.runs().stream().filter(run -> run.status().state().active()).toList();
    Map<TrainingRun, List<InUse>> named = new LinkedHashMap<>();
    List<Waiting> waiting = new ArrayList<>();
    for (TrainingRun run : active) {
      named.put(run, inUse.of(run));
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
    troubles.keep(seen);
    return new View(kinds, waiting);
  }

  /** How many plugins of one kind a bundle offers. */
  private static int ids(List<OfferedService> offered, String bundle) {
    return offered.stream()
        .filter(service -> service.bundle().equals(bundle))
        .mapToInt(service -> service.ids().size())
        .sum();
  }

  private Service row(
      OfferedService service, String id, boolean alone, Map<TrainingRun, List<InUse>> named) {
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
        troubles.of(service, id, plugins),
        usedBy);
  }

  /** Whether the step in progress has something of its bundle. */
  private static boolean serves(OfferedService service, TrainingRun run) {
    return List.of(run.status().served().split(", ", -1))
        .contains(service.bundle() + " " + service.version());
  }

  /**
   * A bundle serves those of its plugins that are named. Of a kind that no configuration names,
   * such as families of models, it serves the only one that it has.
   */
  private static boolean mayUse(String kind, String id, boolean alone, List<InUse> all) {
    List<InUse> ofKind = all.stream().filter(plugin -> plugin.namespace().equals(kind)).toList();
    return ofKind.isEmpty() ? alone : ofKind.stream().anyMatch(plugin -> plugin.id().equals(id));
  }
}
