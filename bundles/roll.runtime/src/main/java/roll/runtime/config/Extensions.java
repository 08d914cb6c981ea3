package roll.runtime.config;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Plugins of custom kinds and custom roles of a run.
 *
 * @param plugins of custom kinds, in the order written
 * @param roles custom roles, in the order written
 */
public record Extensions(List<PluginConfig> plugins, List<RoleConfig> roles) {
  /** No custom kinds and roles. */
  public static final Extensions NONE = new Extensions(List.of(), List.of());

  /** Returns the custom role {@code role}, as {@link RoleConfig#role} names it, or null. */
  public @Nullable RoleConfig role(String role) {
    return roles.stream().filter(own -> own.role().equals(role)).findFirst().orElse(null);
  }

  /** Returns the custom plugin kinds that have plugins. */
  public Set<String> kinds() {
    Set<String> kinds = new LinkedHashSet<>();
    plugins.forEach(plugin -> kinds.add(plugin.kind()));
    return kinds;
  }

  /** Returns the custom plugins of {@code kind}. */
  public List<PluginConfig> plugins(String kind) {
    return plugins.stream().filter(plugin -> plugin.kind().equals(kind)).toList();
  }
}
