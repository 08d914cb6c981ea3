package roll.cluster.environments;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.osgi.framework.BundleContext;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import roll.api.env.Environment;
import roll.api.env.Episode;
import roll.api.env.EpisodeStart;
import roll.api.env.Observation;
import roll.api.env.Scenario;
import roll.api.option.RawOptions;
import roll.cluster.Member;
import roll.cluster.Membership;
import roll.cluster.Registration;
import roll.cluster.environments.EnvironmentHost.Begun;
import roll.cluster.environments.EnvironmentHost.Description;
import roll.cluster.environments.EnvironmentHost.World;
import roll.cluster.services.Leases;
import roll.cluster.services.OfferedServices;
import roll.cluster.services.Outcome;
import roll.cluster.services.RemoteContract.Target;
import roll.cluster.services.codec.RecordCodec;
import roll.runtime.nodes.NodeConsole;
import roll.runtime.nodes.NodeRoles;

/**
 * Plays the episodes that the first node sends, if this node has the environment role. An episode
 * ends when its owner closes it or leaves the run. An environment that goes waits for the calls to
 * its episodes; their owner plays them on other nodes.
 */
@Component(
    name = "roll.cluster.environments.server",
    immediate = true,
    service = {})
public final class EnvironmentServer {
  private static final RecordCodec BEGUN = RecordCodec.of(EnvironmentHost.Begun.class);

  /** Bytes of an answer beside the outcome's value. */
  private static final int HEAD = 64;

  /** Maximum number of configured scenarios that are kept, more than one run has. */
  private static final int WORLDS = 64;

  private record WorldKey(long environment, RawOptions options) {}

  private final OfferedServices<Environment> environments;
  private final Map<WorldKey, Scenario> worlds = new ConcurrentHashMap<>();
  private final Leases<Long, HostedEpisode> episodes;
  private final AtomicLong numbers = new AtomicLong();
  private final AtomicLong steps = new AtomicLong();
  private final NodeConsole console;
  private final List<Registration> calls;

  /** Answers calls from now on. */
  @Activate
  public EnvironmentServer(
      BundleContext context,
      @Reference Membership membership,
      @Reference DeployedDigests digests,
      @Reference NodeConsole console) {
    this.console = console;
    this.environments =
        new OfferedServices<>(
            context, membership, EnvironmentHost.ENVIRONMENTS, digests::of, this::leaving);
    this.episodes =
        new Leases<>(membership, (_, episode, _) -> Thread.startVirtualThread(episode::abandon));
    this.calls =
        List.of(
            EnvironmentHost.CONTRACT.serve(membership, this::environment),
            EnvironmentHost.EPISODES.serve(membership, this::episode));
    if (membership.self().node().roles().contains(NodeRoles.ENVIRONMENT)) {
      environments.open();
    }
  }

  private Target<EnvironmentHost> environment(Member from, long number, String method) {
    if (!method.equals("close")) {
      environments.get(number); // fails if it is gone
    }
    return Target.of(new Host(from, number));
  }

  private HostedEpisode episode(Member from, long number, String method) {
    HostedEpisode episode = episodes.get(number, from);
    if (episode == null) {
      throw new IllegalStateException("there is no episode " + number + " any more");
    }
    if (method.equals("step")) {
      steps.incrementAndGet();
    }
    return episode;
  }

  private Scenario world(long number, RawOptions options) {
    Environment environment = environments.get(number);
    if (worlds.size() > WORLDS) {
      close(_ -> true);
    }
    return worlds.computeIfAbsent(
        new WorldKey(number, options),
        _ -> environment.configure(options.checked(List.copyOf(environment.options()))));
  }

  /** An environment as {@code from} calls it. */
  private final class Host implements EnvironmentHost {
    private final Member from;
    private final long number;

    Host(Member from, long number) {
      this.from = from;
      this.number = number;
    }

    @Override
    public Description describe() {
      Environment environment = environments.get(number);
      return new Description(environment.description(), List.copyOf(environment.options()));
    }

    @Override
    public World world(RawOptions options) {
      Scenario world = EnvironmentServer.this.world(number, options);
      return new World(world.instruction(), world.aggregations(), world.readsSpecialTokens());
    }

    @Override
    public CompletableFuture<Outcome<Begun>> reset(
        RawOptions options, @Nullable EpisodeStart start, long seed) {
      return CompletableFuture.completedFuture(
          Outcome.of(() -> begin(EnvironmentServer.this.world(number, options), start, seed)));
    }

    private Begun begin(Scenario world, @Nullable EpisodeStart start, long seed) {
      Episode episode = start == null ? world.reset(seed) : world.reset(start);
      HostedEpisode hosted = new HostedEpisode(number, episode);
      Begun begun;
      try {
        Observation first = episode.observed();
        begun =
            new Begun(
                numbers.incrementAndGet(),
                episode.observation(),
                !first.pictures().isEmpty(),
                first.before());
        int bytes = BEGUN.write(begun).length + HEAD;
        if (bytes > Membership.MAX_MESSAGE_BYTES) {
          throw new IllegalStateException(
              "an answer has %d bytes, more than %d"
                  .formatted(bytes, Membership.MAX_MESSAGE_BYTES));
        }
      } catch (Throwable e) { // the caller gets no number to close it with
        hosted.end();
        throw e;
      }
      episodes.put(begun.episode(), from, hosted);
      try {
        var unused = environments.get(number);
      } catch (IllegalStateException e) { // gone meanwhile; the next call fails
        episodes.end(begun.episode(), "its environment is gone");
      }
      return begun;
    }

    @Override
    public void close(long episode) {
      if (episodes.get(episode, from) != null) {
        episodes.end(episode, "its owner has closed it");
      }
    }
  }

  private void leaving(long number) {
    episodes
        .all()
        .forEach(
            (key, episode) -> {
              if (episode.environment() == number && episodes.remove(key) != null) {
                episode.end();
              }
            });
    close(key -> key.environment == number);
  }

  private void close(Predicate<WorldKey> ended) {
    worlds
        .entrySet()
        .removeIf(
            world -> {
              boolean ends = ended.test(world.getKey());
              if (ends) {
                world.getValue().close();
              }
              return ends;
            });
  }

  /** Ends all episodes and reports how many were played. */
  @Deactivate
  public void deactivate() {
    environments.close();
    calls.forEach(Registration::close);
    episodes.close();
    close(_ -> true);
    if (numbers.get() > 0) {
      console.say("played %,d episodes of %,d steps".formatted(numbers.get(), steps.get()));
    }
  }
}
