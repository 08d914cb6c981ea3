package roll.ui.system;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.HashMap;
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

/**
 * The plugins that the configuration of an active run names, as {@code config.yaml} of its folder
 * has it: after a swap that of the next step. A configuration is read again when its file changes.
 *
 * @see roll.runtime.pipeline.TrainingRun#swap
 */
public final class PluginsInUse {
  private final ConfigLoader loader;
  private final PluginRegistry plugins;
  private final Map<Path, Read> read = new HashMap<>();

  /** Read by {@code loader}, among {@code plugins}. */
  public PluginsInUse(ConfigLoader loader, PluginRegistry plugins) {
    this.loader = loader;
    this.plugins = plugins;
  }

  /** A configuration, and what tells that its file has changed. */
  private record Read(Object stamp, RunConfig config) {}

  /**
   * A plugin that a run names.
   *
   * @param kind its name, as {@code swap} takes it
   * @param namespace of its name
   * @param id its name
   * @param choices what may take its place, sorted; empty if nothing can
   */
  public record InUse(String kind, String namespace, String id, List<String> choices) {
    /** Copies the choices. */
    public InUse {
      choices = List.copyOf(choices);
    }
  }

  /**
   * The plugins of {@code run}, in the order of the kinds; empty if it has ended, has not written
   * its configuration, or this system cannot read it.
   */
  public synchronized List<InUse> of(TrainingRun run) {
    RunConfig config = run.status().state().active() ? config(run.folder()) : null;
    if (config == null) {
      read.remove(run.folder());
      return List.of();
    }
    Map<InUse, TreeSet<String>> all = new LinkedHashMap<>();
    try (PluginKinds kinds = PluginKinds.of(plugins)) {
      for (RegisteredKind<?> kind : kinds.named()) {
        for (ConfigReference place : kind.places().apply(config)) {
          InUse plain = new InUse(kind.name(), kind.namespace(), place.named().name(), List.of());
          List<String> fitting =
              place.replacement() == null
                  ? List.of()
                  : plugins.names(kind.kind().type(), kind.namespace());
          // what is named at two places is replaced at both
          all.computeIfAbsent(plain, _ -> new TreeSet<>(fitting)).retainAll(fitting);
        }
      }
    }
    List<InUse> found = new ArrayList<>();
    all.forEach(
        (plain, choices) -> {
          choices.remove(plain.id());
          found.add(new InUse(plain.kind(), plain.namespace(), plain.id(), List.copyOf(choices)));
        });
    return found;
  }

  private @Nullable RunConfig config(Path folder) {
    Path file = folder.resolve("config.yaml");
    try {
      BasicFileAttributes facts = Files.readAttributes(file, BasicFileAttributes.class);
      Object stamp = List.of(facts.lastModifiedTime(), facts.size());
      Read before = read.get(folder);
      if (before != null && before.stamp().equals(stamp)) {
        return before.config();
      }
      RunConfig config = loader.load(file, List.of()).run();
      read.put(folder, new Read(stamp, config));
      return config;
    } catch (IOException | UserException e) {
      return null; // not written yet, or changed by its owner
    }
  }
}
