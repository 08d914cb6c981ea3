package roll.cluster.environments.remote;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import roll.api.env.Environment;
import roll.api.option.Option;
import roll.api.option.Options;
import roll.api.option.RawOptions;
import roll.cluster.Member;
import roll.cluster.Membership;
import roll.cluster.environments.calls.EpisodeHost.Description;
import roll.cluster.services.ServiceOffer;
import roll.runtime.option.YamlOptions;

/**
 * An environment of another node. Calls to a node that is lost fail with an exception naming it.
 */
public final class RemoteEnvironment implements Environment {
  private final EnvironmentCalls calls;
  private final ServiceOffer offer;
  private volatile @Nullable Description described;

  /** What {@code member} offers. */
  RemoteEnvironment(Membership membership, Member member, ServiceOffer offer) {
    this.calls = new EnvironmentCalls(membership, member);
    this.offer = offer;
  }

  /** Whose it is. */
  public Member member() {
    return calls.member();
  }

  /** What of it. */
  public ServiceOffer offer() {
    return offer;
  }

  private Description described() {
    Description known = described;
    if (known == null) {
      known = calls.await(calls.host().describe(offer.number()));
      described = known;
    }
    return known;
  }

  @Override
  public String description() {
    return described().description();
  }

  @Override
  public List<Option<?>> options() {
    return described().options();
  }

  /** The world with the values that {@code options} has, which the node checks again. */
  @Override
  public RemoteScenario configure(Options options) {
    Map<String, @Nullable Object> values = new LinkedHashMap<>();
    for (Option<?> option : options()) {
      Object value = options.find(option).orElse(null);
      if (value != null) {
        values.put(option.name(), value instanceof RawOptions nested ? nested.values() : value);
      }
    }
    return configure(YamlOptions.of(options.where(), values));
  }

  /** The world with the options as they are written. */
  public RemoteScenario configure(RawOptions options) {
    return new RemoteScenario(calls, offer.number(), options);
  }
}
