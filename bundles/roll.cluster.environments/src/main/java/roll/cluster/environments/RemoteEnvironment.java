package roll.cluster.environments;

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
import roll.cluster.environments.EnvironmentHost.Description;
import roll.cluster.services.RemoteCalls;
import roll.cluster.services.ServiceOffer;
import roll.runtime.option.YamlOptions;

/**
 * An environment of another node. Calls fail with {@link roll.cluster.NodeLostException} if the
 * node is lost, {@link roll.cluster.RemoteCallException} if it does not have the environment or the
 * episode any more, {@link roll.api.option.UserException} if the environment threw one, and {@link
 * roll.cluster.services.RemoteFailureException} if it threw something else. A thread that is
 * interrupted stops waiting.
 */
final class RemoteEnvironment implements Environment {
  private final Membership membership;
  private final Member member;
  private final ServiceOffer offer;
  private final EnvironmentHost host;
  private volatile @Nullable Description described;

  RemoteEnvironment(Membership membership, Member member, ServiceOffer offer) {
    this.membership = membership;
    this.member = member;
    this.offer = offer;
    this.host = EnvironmentHost.CONTRACT.of(membership, member, offer.number(), RemoteCalls.LONG);
  }

  Member member() {
    return member;
  }

  ServiceOffer offer() {
    return offer;
  }

  private Description described() {
    Description known = described;
    if (known == null) {
      known = host.describe();
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

  /** Configures the world with the values of {@code options}, which the node checks again. */
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

  /** Configures the scenario on its node with options as they are in the configuration. */
  RemoteScenario configure(RawOptions options) {
    return new RemoteScenario(membership, member, host, options);
  }
}
