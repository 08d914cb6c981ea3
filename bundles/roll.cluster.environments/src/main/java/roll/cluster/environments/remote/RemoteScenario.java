package roll.cluster.environments.remote;

import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import roll.api.env.Episode;
import roll.api.env.EpisodeStart;
import roll.api.env.Scenario;
import roll.api.option.RawOptions;
import roll.cluster.environments.calls.EpisodeHost.Begun;
import roll.cluster.environments.calls.EpisodeHost.World;
import roll.cluster.environments.calls.Outcome;

/** A configured world of another node; it is configured there when it is first used. */
public final class RemoteScenario implements Scenario {
  private final EnvironmentCalls calls;
  private final long environment;
  private final RawOptions options;
  private volatile @Nullable World world;

  RemoteScenario(EnvironmentCalls calls, long environment, RawOptions options) {
    this.calls = calls;
    this.environment = environment;
    this.options = options;
  }

  private World world() {
    World known = world;
    if (known == null) {
      known = calls.await(calls.host().world(environment, options));
      world = known;
    }
    return known;
  }

  @Override
  public String instruction() {
    return world().instruction();
  }

  @Override
  public boolean readsSpecialTokens() {
    return world().readsSpecialTokens();
  }

  @Override
  public Map<String, Aggregation> aggregations() {
    return world().aggregations();
  }

  @Override
  public Episode reset(long seed) {
    return begin(null, seed);
  }

  @Override
  public Episode reset(EpisodeStart start) {
    return begin(start, 0);
  }

  private Episode begin(@Nullable EpisodeStart start, long seed) {
    CompletableFuture<Outcome<Begun>> call = calls.host().reset(environment, options, start, seed);
    try {
      return new RemoteEpisode(calls, calls.await(call.copy()));
    } catch (CancellationException e) { // it may begin all the same, and nobody has it
      var unused =
          call.thenAccept(
              outcome -> {
                Begun begun = outcome.value();
                if (begun != null) {
                  calls.host().close(begun.episode());
                }
              });
      throw e;
    }
  }
}
