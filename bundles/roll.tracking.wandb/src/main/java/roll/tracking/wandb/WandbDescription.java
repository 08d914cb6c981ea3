package roll.tracking.wandb;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Project, name, group and tags of a run.
 *
 * @param entity user or team, or null for that of the key
 * @param name for display; not an identifier
 * @param group of runs, or null
 */
record WandbDescription(
    String project,
    @Nullable String entity,
    String name,
    @Nullable String group,
    List<String> tags) {}
