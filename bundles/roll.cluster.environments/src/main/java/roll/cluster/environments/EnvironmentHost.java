package roll.cluster.environments;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import roll.api.data.Message;
import roll.api.env.Environment;
import roll.api.env.Episode;
import roll.api.env.EpisodeStart;
import roll.api.env.Scenario.Aggregation;
import roll.api.option.Option;
import roll.api.option.RawOptions;
import roll.cluster.services.Outcome;
import roll.cluster.services.RemoteContract;
import roll.cluster.services.ServiceKind;

/** An environment of a node, as the first node calls it. */
interface EnvironmentHost {
  /** Kind of services: the environments that nodes offer. */
  ServiceKind<Environment> ENVIRONMENTS =
      new ServiceKind<>(Environment.class, "roll.env", "environments");

  /** Calls to environments by the numbers of their services. */
  RemoteContract<EnvironmentHost> CONTRACT =
      new RemoteContract<>("environments", EnvironmentHost.class);

  /** Remote contract of calls to episodes by their numbers; those with tools stay on the node. */
  RemoteContract<Episode> EPISODES =
      new RemoteContract<>("episodes", Episode.class, Set.of("call", "workspace"));

  /** Description and options of an environment. */
  record Description(String description, List<Option<?>> options) {}

  /** Properties of a configured scenario on another node. */
  record World(
      String instruction, Map<String, Aggregation> aggregations, boolean readsSpecialTokens) {}

  /**
   * An episode of another node after its reset.
   *
   * @param observation the first one
   * @param pictures whether the observation has pictures
   * @param before earlier messages of the conversation
   */
  record Begun(long episode, String observation, boolean pictures, List<Message> before) {}

  /** Returns the description and the options. */
  Description describe();

  /** Returns the properties of the scenario with {@code options}. */
  World world(RawOptions options);

  /** Begins an episode of the configured scenario, with {@code seed} if {@code start} is null. */
  CompletableFuture<Outcome<Begun>> reset(
      RawOptions options, @Nullable EpisodeStart start, long seed);

  /** Closes an episode on the called node. */
  void close(long episode);
}
