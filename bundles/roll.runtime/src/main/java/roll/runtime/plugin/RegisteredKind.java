package roll.runtime.plugin;

import java.util.List;
import java.util.function.Function;
import roll.runtime.config.RunConfig;

/**
 * A kind of plugins, and where a configuration names some.
 *
 * @param name as used in commands
 * @param namespace service property and capability that name its plugins, such as {@code roll.env}
 * @param lifetime how long a run leases one
 * @param key last part of the key whose value is a name; empty if the name is itself a key or only
 *     other plugins name one
 * @param kind its contract
 * @param places the places of a run, in the order written; none if only other plugins name one
 */
public record RegisteredKind<S>(
    String name,
    String namespace,
    Lifetime lifetime,
    String key,
    PluginKind<S> kind,
    Function<RunConfig, List<ConfigReference>> places) {
  /** Duration of a lease of a plugin. */
  public enum Lifetime {
    /** Lifetime of a plugin: from one step boundary to the next. */
    STEP,
    /** While the object made from it is open, such as a role or a tracking. */
    OPEN,
    /** Like STEP, if episodes are played and not read from files. */
    ROLLOUT,
    /** Lifetime of a plugin: determined by the plugin that names it. */
    OTHER
  }
}
