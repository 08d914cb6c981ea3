package roll.runtime.config;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a run names beyond what this project knows of.
 *
 * @param plugins of kinds of one's own, in the order written
 * @param roles of one's own, in the order written
 */
public record Extensions(List<PluginConfig> plugins, List<RoleConfig> roles) {
  /** Nothing. */
  public static final Extensions NONE = new Extensions(List.of(), List.of());

  /** The role {@code role}, as {@link RoleConfig#role} names it, or null. */
  public @Nullable RoleConfig role(String role) {
    return roles.stream().filter(own -> own.role().equals(role)).findFirst().orElse(null);
  }

  /** The kinds of the plugins. */
  public Set<String> kinds() {
    Set<String> kinds = new LinkedHashSet<>();
    plugins.forEach(plugin -> kinds.add(plugin.kind()));
    return kinds;
  }

  /** The plugins of {@code kind}. */
  public List<PluginConfig> plugins(String kind) {
    return plugins.stream().filter(plugin -> plugin.kind().equals(kind)).toList();
  }
}
