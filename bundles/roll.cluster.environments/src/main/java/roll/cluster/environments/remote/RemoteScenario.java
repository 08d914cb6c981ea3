package roll.cluster.environments.remote;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import roll.api.env.Episode;
import roll.api.env.Scenario;
import roll.api.env.Start;
import roll.api.option.RawOptions;
import roll.cluster.environments.codec.EnvironmentTopics;
import roll.cluster.environments.codec.EpisodeCodec;
import roll.cluster.services.codec.ByteReader;
import roll.cluster.services.codec.ByteWriter;
import roll.cluster.services.codec.OptionCodec;

/** A configured world of another node; it is configured there when it is first used. */
public final class RemoteScenario implements Scenario {
  private record World(
      String instruction, Map<String, Aggregation> aggregations, boolean readsSpecialTokens) {}

  private final EnvironmentCalls calls;
  private final long environment;
  private final RawOptions options;
  private volatile @Nullable World world;

  RemoteScenario(EnvironmentCalls calls, long environment, RawOptions options) {
    this.calls = calls;
    this.environment = environment;
    this.options = options;
  }

  private ByteWriter message() {
    return new ByteWriter().int64(environment).of(options, OptionCodec::write);
  }

  private World world() {
    World known = world;
    if (known == null) {
      known = calls.ask(EnvironmentTopics.WORLD, message(), RemoteScenario::read);
      world = known;
    }
    return known;
  }

  private static World read(ByteReader in) {
    String instruction = in.text();
    Map<String, Aggregation> aggregations = new LinkedHashMap<>();
    in.list(from -> Map.entry(from.text(), from.constant(Aggregation.values())))
        .forEach(how -> aggregations.put(how.getKey(), how.getValue()));
    return new World(instruction, aggregations, in.bool());
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
  public Episode reset(Start start) {
    return begin(start, 0);
  }

  private Episode begin(@Nullable Start start, long seed) {
    ByteWriter message = message().optional(start, EpisodeCodec::write).int64(seed);
    return calls.ask(
        EnvironmentTopics.RESET,
        message,
        in ->
            new RemoteEpisode(calls, in.int64(), in.text(), in.bool(), EpisodeCodec.messages(in)));
  }
}
