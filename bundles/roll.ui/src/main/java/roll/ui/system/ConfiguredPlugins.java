package roll.ui.system;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import roll.api.option.UserException;
import roll.runtime.config.ConfigLoader;
import roll.runtime.config.RunConfig;
import roll.runtime.pipeline.TrainingRun;
import roll.runtime.plugin.ConfigReference;
import roll.runtime.plugin.PluginKinds;
import roll.runtime.plugin.PluginRegistry;
import roll.runtime.plugin.RegisteredKind;
import roll.ui.file.FileCache;

/**
 * The plugins named in the {@code config.yaml} of an active run: after a swap those of the next
 * step.
 *
 * @see roll.runtime.pipeline.TrainingRun#swap
 */
public final class ConfiguredPlugins {
  private static final int SIZE = 64;

  private final PluginRegistry plugins;
  private final FileCache<@Nullable RunConfig> configs;

  /** Plugins of {@code plugins}, in configurations read by {@code loader}. */
  public ConfiguredPlugins(ConfigLoader loader, PluginRegistry plugins) {
    this.plugins = plugins;
    configs =
        new FileCache<@Nullable RunConfig>(
            SIZE, (file, stamp) -> stamp == null ? null : read(loader, file));
  }

  private @Nullable RunConfig config(TrainingRun run) {
    try {
      return run.status().state().active()
          ? configs.get(run.folder().resolve("config.yaml"))
          : null;
    } catch (IOException e) {
      return null; // not readable
    }
  }

  private static @Nullable RunConfig read(ConfigLoader loader, Path file) {
    try {
      return loader.load(file, List.of()).run();
    } catch (UserException e) {
      return null; // invalid after a change by its owner
    }
  }

  /**
   * A plugin named in a configuration.
   *
   * @param kind its name, as {@code swap} takes it
   * @param namespace of its name
   * @param id its name
   * @param choices possible replacements, sorted
   */
  public record Configured(String kind, String namespace, String id, List<String> choices) {
    /** Creates the configured plugins with immutable copies of the choices. */
    public Configured {
      choices = List.copyOf(choices);
    }
  }

  /**
   * Returns the plugins of {@code run}, in the order of the kinds; empty if it has ended, or its
   * configuration is missing or invalid.
   */
  public List<Configured> of(TrainingRun run) {
    RunConfig config = config(run);
    if (config == null) {
      return List.of();
    }
    Map<Configured, TreeSet<String>> all = new LinkedHashMap<>();
    try (PluginKinds kinds = PluginKinds.of(plugins)) {
      for (RegisteredKind<?> kind : kinds.named()) {
        for (ConfigReference place : kind.places().apply(config)) {
          Configured plain =
              new Configured(kind.name(), kind.namespace(), place.named().name(), List.of());
          List<String> fitting =
              place.replacement() == null
                  ? List.of()
                  : plugins.names(kind.kind().type(), kind.namespace());
          // a plugin named twice is replaced twice
          all.computeIfAbsent(plain, _ -> new TreeSet<>(fitting)).retainAll(fitting);
        }
      }
    }
    List<Configured> found = new ArrayList<>();
    all.forEach(
        (plain, choices) -> {
          choices.remove(plain.id());
          found.add(
              new Configured(plain.kind(), plain.namespace(), plain.id(), List.copyOf(choices)));
        });
    return found;
  }
}
