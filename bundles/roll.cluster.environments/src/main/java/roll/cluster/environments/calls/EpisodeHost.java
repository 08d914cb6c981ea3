package roll.cluster.environments.calls;

import java.awt.image.BufferedImage;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import roll.api.data.Message;
import roll.api.env.Environment;
import roll.api.env.EpisodeStart;
import roll.api.env.Observation;
import roll.api.env.Scenario.Aggregation;
import roll.api.env.Step;
import roll.api.option.Option;
import roll.api.option.RawOptions;
import roll.cluster.services.RemoteContract;
import roll.cluster.services.ServiceKind;

/**
 * A node that plays environments, as the one that has them played calls it. Environments and
 * episodes have numbers there; methods on episodes are those of {@code Episode} of these names.
 */
public interface EpisodeHost {
  /** The environments that such a node offers. */
  ServiceKind<Environment> ENVIRONMENTS =
      new ServiceKind<>(Environment.class, "roll.env", "environments");

  /** What is called. */
  RemoteContract<EpisodeHost> CONTRACT = new RemoteContract<>("environments", EpisodeHost.class);

  /** What an environment says of itself. */
  record Description(String description, List<Option<?>> options) {}

  /** What is known of a configured world. */
  record World(
      String instruction, Map<String, Aggregation> aggregations, boolean readsSpecialTokens) {}

  /**
   * An episode that has begun.
   *
   * @param beginning what is seen now
   * @param pictures whether there is a picture of it
   * @param before what was said before
   */
  record Begun(long episode, String beginning, boolean pictures, List<Message> before) {}

  /** The description and the options of an environment. */
  CompletableFuture<Outcome<Description>> describe(long environment);

  /** The world that an environment is with {@code options}. */
  CompletableFuture<Outcome<World>> world(long environment, RawOptions options);

  /** Begins an episode of such a world; by {@code seed} where there is no start. */
  CompletableFuture<Outcome<Begun>> reset(
      long environment, RawOptions options, @Nullable EpisodeStart start, long seed);

  /** Acts. */
  CompletableFuture<Outcome<Step>> step(long episode, String response);

  /** The observation. */
  CompletableFuture<Outcome<String>> observation(long episode);

  /** The actions. */
  CompletableFuture<Outcome<List<String>>> actions(long episode);

  /** The response that takes {@code action}. */
  CompletableFuture<Outcome<String>> respond(long episode, String action);

  /** The expert's action. */
  CompletableFuture<Outcome<Optional<String>>> expert(long episode);

  /** The facts. */
  CompletableFuture<Outcome<Map<String, Object>>> facts(long episode);

  /** The picture. */
  CompletableFuture<Outcome<Optional<BufferedImage>>> picture(long episode);

  /** The rendered picture. */
  CompletableFuture<Outcome<Optional<BufferedImage>>> render(long episode);

  /** The observation with its pictures. */
  CompletableFuture<Outcome<Observation>> observed(long episode);

  /** An episode is not wanted any more. */
  void close(long episode);
}
