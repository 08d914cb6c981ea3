package roll.ui.run;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import roll.api.option.UserException;
import roll.runtime.config.ConfigLoader;
import roll.runtime.config.LoadedConfig;
import roll.runtime.pipeline.Planner;
import roll.ui.file.Stamp;

/**
 * Plans runs of this process from the configuration in their folders, each configuration once.
 * Others may have been on another machine, which is not known here.
 */
public final class RunPlans {
  private static final int KEPT = 64;

  private final @Nullable ConfigLoader loader;
  private final @Nullable Planner planner;
  private final Map<Path, Planned> known = new LinkedHashMap<>();

  /** With a planner; where one of both is null, nothing is planned. */
  public RunPlans(@Nullable ConfigLoader loader, @Nullable Planner planner) {
    this.loader = loader;
    this.planner = planner;
  }

  private record Planned(Stamp config, @Nullable RunPlan plan) {}

  /** The plan of {@code entry}; null where it is none of this process or cannot be planned. */
  synchronized @Nullable RunPlan of(RunEntry entry) {
    Path folder = entry.folder();
    Path file = folder.resolve(ShownConfig.NAME);
    Stamp now = Stamp.of(file);
    if (entry.run() == null || now == null || loader == null || planner == null) {
      return null;
    }
    Planned before = known.get(folder);
    if (before == null || !before.config().equals(now)) {
      before = new Planned(now, plan(loader, planner, file));
      known.remove(folder);
      known.put(folder, before);
      if (known.size() > KEPT) {
        known.remove(known.keySet().iterator().next());
      }
    }
    return before.plan();
  }

  private static @Nullable RunPlan plan(ConfigLoader loader, Planner planner, Path file) {
    try {
      LoadedConfig config = loader.loadAsWritten(file, List.of());
      return config.onlySft() ? null : RunPlan.of(planner.plan(config));
    } catch (UserException e) {
      return null; // a plugin or a model that it names is not here any more
    }
  }
}
