package roll.cluster.environments;

import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import roll.api.env.Episode;
import roll.api.env.EpisodeStart;
import roll.api.env.Scenario;
import roll.api.loss.LossSettings.Aggregation;
import roll.api.option.RawOptions;
import roll.cluster.Member;
import roll.cluster.Membership;
import roll.cluster.environments.EnvironmentHost.Begun;
import roll.cluster.environments.EnvironmentHost.World;
import roll.cluster.services.Outcome;
import roll.cluster.services.RemoteCalls;

/** A configured world of another node, which is configured there at its first use. */
final class RemoteScenario implements Scenario {
  private final Membership membership;
  private final Member member;
  private final EnvironmentHost host;
  private final RawOptions options;
  private volatile @Nullable World world;

  RemoteScenario(Membership membership, Member member, EnvironmentHost host, RawOptions options) {
    this.membership = membership;
    this.member = member;
    this.host = host;
    this.options = options;
  }

  private World world() {
    World known = world;
    if (known == null) {
      known = host.world(options);
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
    return reset(null, seed);
  }

  @Override
  public Episode reset(EpisodeStart start) {
    return reset(start, 0);
  }

  private Episode reset(@Nullable EpisodeStart start, long seed) {
    CompletableFuture<Outcome<Begun>> call = host.reset(options, start, seed);
    try {
      Begun begun = RemoteCalls.awaitInterruptibly(call.copy(), member).get();
      Episode proxy =
          EnvironmentHost.EPISODES.of(membership, member, begun.episode(), RemoteCalls.LONG);
      return new RemoteEpisode(proxy, begun, () -> host.close(begun.episode()));
    } catch (CancellationException e) { // an episode may begin all the same
      var unused =
          call.thenAccept(
              outcome -> {
                Begun begun = outcome.value();
                if (begun != null) {
                  host.close(begun.episode());
                }
              });
      throw e;
    }
  }
}
