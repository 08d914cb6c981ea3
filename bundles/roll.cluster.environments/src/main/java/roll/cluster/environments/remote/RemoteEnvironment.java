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
import roll.cluster.environments.codec.EnvironmentTopics;
import roll.cluster.environments.codec.OptionDeclarationCodec;
import roll.cluster.services.RemoteCalls;
import roll.cluster.services.ServiceOffer;
import roll.cluster.services.codec.ByteReader;
import roll.cluster.services.codec.ByteWriter;
import roll.runtime.option.YamlOptions;

/**
 * An environment of another node. Calls to a node that is lost fail with an exception naming it.
 */
public final class RemoteEnvironment implements Environment {
  private record Described(String description, List<Option<?>> options) {}

  private final EnvironmentCalls calls;
  private final ServiceOffer offer;
  private volatile @Nullable Described described;

  /** What the member of {@code calls} offers. */
  RemoteEnvironment(RemoteCalls calls, ServiceOffer offer) {
    this.calls = new EnvironmentCalls(calls);
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

  private Described described() {
    Described known = described;
    if (known == null) {
      known =
          calls.ask(
              EnvironmentTopics.DESCRIBE,
              new ByteWriter().int64(offer.number()),
              in -> new Described(in.text(), in.list(RemoteEnvironment::option)));
      described = known;
    }
    return known;
  }

  private static Option<?> option(ByteReader in) {
    return OptionDeclarationCodec.read(in);
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
