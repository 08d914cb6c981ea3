package roll.tracking.wandb;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How a run is shown.
 *
 * @param entity user or team, or null for the key's own
 * @param name for people; the run's identity is another
 * @param group of runs, or null
 */
record WandbDescription(
    String project,
    @Nullable String entity,
    String name,
    @Nullable String group,
    List<String> tags) {}
