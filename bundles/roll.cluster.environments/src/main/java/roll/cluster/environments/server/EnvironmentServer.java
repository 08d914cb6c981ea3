package roll.cluster.environments.server;

import java.awt.image.BufferedImage;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
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
import roll.api.env.Step;
import roll.api.option.RawOptions;
import roll.cluster.Member;
import roll.cluster.Membership;
import roll.cluster.Registration;
import roll.cluster.environments.DeployedDigests;
import roll.cluster.environments.calls.EpisodeHost;
import roll.cluster.environments.calls.Outcome;
import roll.cluster.services.Leases;
import roll.cluster.services.ServedServices;
import roll.cluster.services.codec.RecordCodec;
import roll.runtime.nodes.NodeConsole;
import roll.runtime.nodes.NodeRoles;

/**
 * Plays the environments of this node for the first one, if this node names the role. An episode
 * ends when its owner closes it or is no member any more; an environment that goes waits for the
 * calls that its episodes are in, and their owner plays them elsewhere.
 */
@Component(
    name = "roll.cluster.environments.server",
    immediate = true,
    service = {})
public final class EnvironmentServer {
  private record Actions(List<String> actions) {}

  private record Facts(Map<String, Object> facts) {}

  private static final RecordCodec BEGUN = RecordCodec.of(EpisodeHost.Begun.class);
  private static final RecordCodec STEP = RecordCodec.of(Step.class);
  private static final RecordCodec TEXT = RecordCodec.of(String.class);
  private static final RecordCodec OBSERVATION = RecordCodec.of(Observation.class);
  private static final RecordCodec ACTIONS = RecordCodec.of(Actions.class);
  private static final RecordCodec FACTS = RecordCodec.of(Facts.class);

  /** Bytes of an answer beside what the environment says. */
  private static final int HEAD = 64;

  private final ServedServices<Environment> environments;
  private final ServedWorlds worlds;
  private final Leases<Long, ServedEpisode> episodes;
  private final AtomicLong numbers = new AtomicLong();
  private final AtomicLong steps = new AtomicLong();
  private final NodeConsole console;
  private final Registration calls;

  /** Answers as soon as this process is a member. */
  @Activate
  public EnvironmentServer(
      BundleContext context,
      @Reference Membership membership,
      @Reference DeployedDigests digests,
      @Reference NodeConsole console) {
    this.console = console;
    this.environments =
        new ServedServices<>(
            context, membership, EpisodeHost.ENVIRONMENTS, digests::of, this::leaving);
    this.worlds = new ServedWorlds(environments);
    this.episodes =
        new Leases<>(membership, (_, episode, _) -> Thread.startVirtualThread(episode::abandon));
    this.calls = EpisodeHost.CONTRACT.serve(membership, Caller::new);
    if (membership.self().node().roles().contains(NodeRoles.ENVIRONMENT)) {
      environments.open();
    }
  }

  /** {@code answer}, once it is known that it can be sent: on another node it could not either. */
  private static <T> T sendable(T answer, Function<T, byte[]> written) {
    int bytes = written.apply(answer).length + HEAD;
    if (bytes > Membership.MAX_MESSAGE_BYTES) {
      throw new IllegalStateException(
          "an answer has %d bytes, more than %d".formatted(bytes, Membership.MAX_MESSAGE_BYTES));
    }
    return answer;
  }

  /** A member that has episodes played here. */
  private final class Caller implements EpisodeHost {
    private final Member from;

    Caller(Member from) {
      this.from = from;
    }

    private ServedEpisode episode(long number) {
      ServedEpisode episode = episodes.get(number, from);
      if (episode == null) {
        throw new IllegalStateException("there is no episode " + number + " any more");
      }
      return episode;
    }

    private <T> CompletableFuture<Outcome<T>> ask(long number, Function<Episode, T> question) {
      return episode(number).ask(played -> Outcome.of(() -> question.apply(played)));
    }

    /** The same; an answer that cannot be sent is a failure of the environment. */
    private <T> CompletableFuture<Outcome<T>> ask(
        long number, Function<Episode, T> question, Function<T, byte[]> written) {
      return ask(number, played -> sendable(question.apply(played), written));
    }

    @Override
    public CompletableFuture<Outcome<Description>> describe(long number) {
      Environment environment = environments.get(number);
      return Outcome.of(
          () -> new Description(environment.description(), List.copyOf(environment.options())));
    }

    @Override
    public CompletableFuture<Outcome<World>> world(long number, RawOptions options) {
      environments.get(number);
      return Outcome.of(
          () -> {
            Scenario world = worlds.get(number, options);
            return new World(world.instruction(), world.aggregations(), world.readsSpecialTokens());
          });
    }

    @Override
    public CompletableFuture<Outcome<Begun>> reset(
        long environment, RawOptions options, @Nullable EpisodeStart start, long seed) {
      environments.get(environment);
      return Outcome.of(
          () -> {
            Scenario world = worlds.get(environment, options);
            Episode episode = start == null ? world.reset(seed) : world.reset(start);
            ServedEpisode served = new ServedEpisode(environment, episode);
            Begun begun;
            try {
              Observation first = episode.observed();
              begun =
                  sendable(
                      new Begun(
                          numbers.incrementAndGet(),
                          episode.observation(),
                          !first.pictures().isEmpty(),
                          first.before()),
                      BEGUN::write);
            } catch (Throwable e) { // nobody would close it
              served.end();
              throw e;
            }
            episodes.put(begun.episode(), from, served);
            try {
              var unused = environments.get(environment);
            } catch (IllegalStateException e) { // it went meanwhile; the next call says so
              episodes.end(begun.episode(), "its environment is gone");
            }
            return begun;
          });
    }

    @Override
    public CompletableFuture<Outcome<Step>> step(long episode, String response) {
      steps.incrementAndGet();
      return ask(episode, played -> played.step(response), STEP::write);
    }

    @Override
    public CompletableFuture<Outcome<String>> observation(long episode) {
      return ask(episode, Episode::observation, TEXT::write);
    }

    @Override
    public CompletableFuture<Outcome<List<String>>> actions(long episode) {
      return ask(episode, Episode::actions, actions -> ACTIONS.write(new Actions(actions)));
    }

    @Override
    public CompletableFuture<Outcome<String>> respond(long episode, String action) {
      return ask(episode, played -> played.respond(action), TEXT::write);
    }

    @Override
    public CompletableFuture<Outcome<Optional<String>>> expert(long episode) {
      return ask(episode, Episode::expert);
    }

    @Override
    public CompletableFuture<Outcome<Map<String, Object>>> facts(long episode) {
      return ask(episode, Episode::facts, facts -> FACTS.write(new Facts(facts)));
    }

    @Override
    public CompletableFuture<Outcome<Optional<BufferedImage>>> picture(long episode) {
      return ask(episode, Episode::picture);
    }

    @Override
    public CompletableFuture<Outcome<Optional<BufferedImage>>> render(long episode) {
      return ask(episode, Episode::render);
    }

    @Override
    public CompletableFuture<Outcome<Observation>> observed(long episode) {
      return ask(episode, Episode::observed, OBSERVATION::write);
    }

    @Override
    public void close(long number) {
      if (episodes.get(number, from) != null) {
        episodes.end(number, "its owner has closed it");
      }
    }
  }

  private void leaving(long number) {
    worlds.forget(number);
    episodes
        .all()
        .forEach(
            (key, episode) -> {
              if (episode.environment() == number && episodes.remove(key) != null) {
                episode.end();
              }
            });
  }

  /** Takes back what was registered, ends what is played, and says what was. */
  @Deactivate
  public void deactivate() {
    environments.close();
    calls.close();
    episodes.close();
    if (numbers.get() > 0) {
      console.say("played %,d episodes of %,d steps".formatted(numbers.get(), steps.get()));
    }
  }
}
