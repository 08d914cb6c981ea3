package roll.config.build;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import roll.api.option.UserException;
import roll.config.schema.Section;
import roll.config.tree.YamlTree;
import roll.runtime.config.Extensions;
import roll.runtime.config.PluginConfig;
import roll.runtime.config.RoleConfig;
import roll.runtime.plugin.StockKinds;

/** Builds the mappings {@code plugins} (custom plugin kinds) and {@code roles} (custom roles). */
final class ExtensionsBuilder {
  private static final String PLUGINS = "plugins";

  /** Names of the roles of every run, under which their workers are registered. */
  private static final Set<String> STOCK =
      Set.of("actor_train", "actor_infer", "reference", "critic", "environment");

  private static final Pattern NAME = Pattern.compile("[A-Za-z_][\\w-]*");

  private ExtensionsBuilder() {}

  /**
   * The custom plugins and roles of {@code run}, in the order written; {@code kind: id} is short
   * for {@code kind: {id: {}}}.
   *
   * @throws UserException if a kind or role has a reserved name, or if a plugin is neither a name
   *     nor names with their options
   */
  static Extensions of(Section run) {
    List<PluginConfig> plugins = new ArrayList<>();
    run.mapping(PLUGINS).forEach((kind, value) -> plugins.addAll(plugins(run, kind, value)));
    List<RoleConfig> roles = new ArrayList<>();
    run.sections("roles").forEach((name, role) -> roles.add(role(run.where("roles"), name, role)));
    return new Extensions(List.copyOf(plugins), List.copyOf(roles));
  }

  /** Returns the custom role; without a named worker the worker has the role's name. */
  private static RoleConfig role(String where, String name, Section role) {
    named(where, name);
    if (STOCK.contains(name)) {
      throw new UserException(
          where + "." + name + ": expected a name of your own, found that of a stock role");
    }
    return new RoleConfig(
        name,
        role.has("worker") ? role.text("worker") : name,
        RoleConfig.Position.valueOf(role.text("after").toUpperCase(Locale.ROOT)),
        role.mapping("worker_config"));
  }

  private static void named(String where, String name) {
    if (!NAME.matcher(name).matches()) {
      throw wrong(where, "a name of letters, digits, _ and -", name);
    }
  }

  private static List<PluginConfig> plugins(Section run, String kind, Object value) {
    named(run.where(PLUGINS), kind);
    StockKinds.ALL.stream()
        .filter(stock -> stock.name().equals(kind) && !stock.key().isEmpty())
        .findFirst()
        .ifPresent(
            stock -> {
              throw new UserException(
                  "%s.%s: expected a kind of your own, found a stock one, which the key '%s' names"
                      .formatted(run.where(PLUGINS), kind, stock.key()));
            });
    if (value instanceof String name) {
      return List.of(new PluginConfig(kind, name, Map.of()));
    }
    Map<String, @Nullable Object> entries = YamlTree.mapping(value);
    if (entries == null) {
      throw wrong(run.where(PLUGINS) + "." + kind, "a name, or names with options", value);
    }
    List<PluginConfig> plugins = new ArrayList<>();
    entries.forEach(
        (name, given) -> {
          Map<String, @Nullable Object> options = YamlTree.mapping(given);
          if (options == null && given != null) {
            throw wrong(
                run.where(PLUGINS) + "." + kind + "." + name, "a mapping of options", given);
          }
          plugins.add(new PluginConfig(kind, name, YamlTree.withoutNulls(options)));
        });
    return plugins;
  }

  private static UserException wrong(String where, String allowed, @Nullable Object found) {
    return new UserException(where + ": expected " + allowed + ", found " + YamlTree.shown(found));
  }
}
