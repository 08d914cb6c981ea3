package roll.runtime.plugin;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import roll.runtime.config.NamedPlugin;
import roll.runtime.config.PluginConfig;
import roll.runtime.config.RunConfig;

/** References of a configuration to plugins of a custom kind: {@code plugins.<kind>}. */
final class CustomKindReferences {
  private CustomKindReferences() {}

  /** Returns the references to plugins of {@code kind}. */
  static List<ConfigReference> of(RunConfig run, String kind) {
    List<PluginConfig> all = run.extensions().plugins(kind);
    return all.stream().map(plugin -> place(plugin, all)).toList();
  }

  private static ConfigReference place(PluginConfig plugin, List<PluginConfig> all) {
    NamedPlugin named = PluginKinds.named(plugin);
    return new ConfigReference(
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
