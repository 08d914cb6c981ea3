package roll.cluster.environments;

import java.util.Collection;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import roll.api.env.Episode;
import roll.api.env.EpisodeStart;
import roll.api.env.Observation;
import roll.api.env.Scenario;
import roll.api.env.TaskInfo;
import roll.api.loss.LossSettings.Aggregation;
import roll.runtime.worker.EnvironmentPlacement.PlacedEnvironment;

/** Scenario whose episodes are played on other nodes, or on this node if there is none. */
final class DistributedScenario implements Scenario {
  private final EnvironmentNodes nodes;
  private final PlacedEnvironment environment;
  private final String digest;
  private final Scenario local;

  /**
   * Node where an episode is played.
   *
   * @param environment of another node; null for this process
   * @param scenario the world there
   */
  record Site(@Nullable RemoteEnvironment environment, Scenario scenario) {}

  /** Creates the scenario, given the digest of the local bundle of the environment. */
  DistributedScenario(
      EnvironmentNodes nodes, PlacedEnvironment environment, String digest, Scenario local) {
    this.nodes = nodes;
    this.environment = environment;
    this.digest = digest;
    this.local = local;
  }

  @Override
  public String instruction() {
    return local.instruction();
  }

  @Override
  public Episode reset(long seed) {
    return begin(scenario -> scenario.reset(seed));
  }

  @Override
  public Episode reset(EpisodeStart start) {
    return begin(scenario -> scenario.reset(start));
  }

  private Episode begin(Function<Scenario, Episode> how) {
    return new MigratingEpisode(this, how);
  }

  /** Returns a node for an episode that failed at the members {@code not}; finally this process. */
  Site site(Collection<Long> not) {
    return nodes
        .choose(environment, digest, not)
        .map(chosen -> new Site(chosen, EnvironmentNodes.world(chosen, environment)))
        .orElseGet(this::here);
  }

  /** Returns this process as a place for episodes. */
  Site here() {
    return new Site(null, local);
  }

  /** Reports that an episode on a node has ended. */
  void ended(RemoteEnvironment there) {
    nodes.ended(there);
  }

  /** Excludes a node that cannot play this scenario. */
  void unfit(RemoteEnvironment there, String why) {
    nodes.unfit(there, environment, why);
  }

  @Override
  public Scenario fittingSeen(ToIntFunction<Observation> tokens, int most) {
    return local.fittingSeen(tokens, most);
  }

  @Override
  public Scenario fitting(ToIntFunction<String> tokens, int most) {
    return local.fitting(tokens, most);
  }

  @Override
  public Stream<TaskInfo> tasks() {
    return local.tasks();
  }

  @Override
  public boolean readsSpecialTokens() {
    return local.readsSpecialTokens();
  }

  @Override
  public Map<String, Aggregation> aggregations() {
    return local.aggregations();
  }
}
