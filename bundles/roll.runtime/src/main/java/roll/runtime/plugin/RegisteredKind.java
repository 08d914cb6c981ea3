package roll.runtime.plugin;

import java.util.List;
import java.util.function.Function;
import roll.runtime.config.RunConfig;

/**
 * A kind of plugins, and where a configuration names some.
 *
 * @param name what commands call it
 * @param namespace service property and capability that name its plugins, such as {@code roll.env}
 * @param lifetime how long a run leases one
 * @param key last part of the key whose value is a name; empty where a name is a key itself, or
 *     where only other plugins name one
 * @param kind its contract
 * @param places those of a run, in the order written; none where only other plugins name one
 */
public record RegisteredKind<S>(
    String name,
    String namespace,
    Lifetime lifetime,
    String key,
    PluginKind<S> kind,
    Function<RunConfig, List<PluginPlace>> places) {
  /** How long a run leases a plugin. */
  public enum Lifetime {
    /** From one step boundary to the next. */
    STEP,
    /** As long as what was made of it is open: a role, a tracking. */
    OPEN,
    /** As STEP, where episodes are played and not read from files. */
    ROLLOUT,
    /** As long as the plugin that names it says. */
    OTHER
  }
}
