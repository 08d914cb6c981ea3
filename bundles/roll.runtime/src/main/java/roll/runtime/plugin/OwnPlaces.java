package roll.runtime.plugin;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import roll.runtime.config.Named;
import roll.runtime.config.PluginConfig;
import roll.runtime.config.RunConfig;

/** Where a configuration names plugins of a custom kind: {@code plugins.<kind>}. */
final class OwnPlaces {
  private OwnPlaces() {}

  /** Those of {@code kind}. */
  static List<PluginPlace> of(RunConfig run, String kind) {
    List<PluginConfig> all = run.extensions().plugins(kind);
    return all.stream().map(plugin -> place(plugin, all)).toList();
  }

  private static PluginPlace place(PluginConfig plugin, List<PluginConfig> all) {
    Named named = PluginKinds.named(plugin);
    return new PluginPlace(
        named,
        named.where() + "." + plugin.name(),
        plugin.options(),
        (to, kept) -> {
          Map<String, Object> entries = new LinkedHashMap<>();
          for (PluginConfig entry : all) {
            boolean replaced = entry.equals(plugin);
            entries.put(replaced ? to : entry.name(), replaced ? kept : entry.options());
          }
          return Map.of(named.where(), entries);
        });
  }
}
