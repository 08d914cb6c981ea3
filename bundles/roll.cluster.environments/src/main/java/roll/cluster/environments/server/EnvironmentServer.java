package roll.cluster.environments.server;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.osgi.framework.BundleContext;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import roll.api.env.Environment;
import roll.api.env.Episode;
import roll.api.env.Observation;
import roll.api.env.Scenario;
import roll.api.env.Start;
import roll.api.env.Step;
import roll.api.option.RawOptions;
import roll.cluster.Member;
import roll.cluster.MemberEvent;
import roll.cluster.Membership;
import roll.cluster.Registration;
import roll.cluster.environments.DeployedDigests;
import roll.cluster.environments.codec.EnvironmentTopics;
import roll.cluster.environments.codec.EpisodeCodec;
import roll.cluster.environments.codec.EpisodeLook;
import roll.cluster.environments.codec.OptionDeclarationCodec;
import roll.cluster.environments.codec.OutcomeCodec;
import roll.cluster.services.AnsweredTopics;
import roll.cluster.services.ServedServices;
import roll.cluster.services.ServiceOffer;
import roll.cluster.services.codec.ByteReader;
import roll.cluster.services.codec.ByteWriter;
import roll.cluster.services.codec.OptionCodec;
import roll.runtime.nodes.NodeConsole;
import roll.runtime.nodes.NodeRoles;
import roll.runtime.option.YamlOptions;

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
  private final Membership membership;
  private final ServedServices<Environment> environments;
  private final ServedWorlds worlds;
  private final Map<Long, ServedEpisode> episodes = new ConcurrentHashMap<>();
  private final AtomicLong numbers = new AtomicLong();
  private final AtomicLong steps = new AtomicLong();
  private final NodeConsole console;
  private final AnsweredTopics topics;
  private final Registration events;

  /** Answers as soon as this process is a member. */
  @Activate
  public EnvironmentServer(
      BundleContext context,
      @Reference Membership membership,
      @Reference DeployedDigests digests,
      @Reference NodeConsole console) {
    this.membership = membership;
    this.console = console;
    this.topics = new AnsweredTopics(membership);
    this.environments =
        new ServedServices<>(
            context, Environment.class, "roll.env", digests::of, this::changed, this::leaving);
    this.worlds = new ServedWorlds(environments);
    topics.handle(
        EnvironmentTopics.OFFERS,
        (_, _) -> AnsweredTopics.done(out -> out.list(offers(), ServiceOffer::write)));
    topics.handle(EnvironmentTopics.DESCRIBE, (_, in) -> describe(in));
    topics.handle(EnvironmentTopics.WORLD, (_, in) -> world(in));
    topics.handle(EnvironmentTopics.RESET, this::reset);
    topics.handle(EnvironmentTopics.STEP, this::step);
    topics.handle(EnvironmentTopics.LOOK, this::look);
    topics.handle(EnvironmentTopics.CLOSE, this::close);
    this.events = membership.listen(this::happened);
    changed(); // whoever asked before the topics were answered asks again
  }

  private List<ServiceOffer> offers() {
    boolean plays = membership.self().node().roles().contains(NodeRoles.ENVIRONMENT);
    return plays ? environments.offers() : List.of();
  }

  private CompletableFuture<byte[]> describe(ByteReader in) {
    Environment environment = environments.get(in.int64());
    return OutcomeCodec.of(
        () ->
            out ->
                out.text(environment.description())
                    .list(environment.options(), OptionDeclarationCodec::write));
  }

  private CompletableFuture<byte[]> world(ByteReader in) {
    long number = in.int64();
    RawOptions options = OptionCodec.options(in);
    environments.get(number);
    return OutcomeCodec.of(
        () -> {
          Scenario world = worlds.get(number, options);
          return out ->
              out.text(world.instruction())
                  .list(
                      world.aggregations().entrySet(),
                      (to, how) -> to.text(how.getKey()).constant(how.getValue()))
                  .bool(world.readsSpecialTokens());
        });
  }

  private CompletableFuture<byte[]> reset(Member from, ByteReader in) {
    long environment = in.int64();
    RawOptions options = OptionCodec.options(in);
    Start start = in.optional(EpisodeCodec::start);
    long seed = in.int64();
    environments.get(environment);
    return OutcomeCodec.of(
        () -> {
          Scenario world = worlds.get(environment, options);
          Episode episode = start == null ? world.reset(seed) : world.reset(start);
          long number = numbers.incrementAndGet();
          Observation first = episode.observed();
          Consumer<ByteWriter> answer =
              out -> {
                out.int64(number).text(episode.observation()).bool(!first.pictures().isEmpty());
                EpisodeCodec.write(out, first.before());
              };
          episodes.put(number, new ServedEpisode(from, environment, episode));
          if (!membership.members().contains(from)) {
            end(served -> served.owner().uid() == from.uid());
          }
          return answer;
        });
  }

  private ServedEpisode episode(Member from, ByteReader in) {
    long number = in.int64();
    ServedEpisode episode = episodes.get(number);
    if (episode == null || episode.owner().uid() != from.uid()) {
      throw new IllegalStateException("there is no episode " + number + " any more");
    }
    return episode;
  }

  private CompletableFuture<byte[]> step(Member from, ByteReader in) {
    ServedEpisode episode = episode(from, in);
    String response = in.text();
    steps.incrementAndGet();
    return episode.ask(
        played ->
            OutcomeCodec.of(
                () -> {
                  Step step = played.step(response);
                  return out -> EpisodeCodec.write(out, step);
                }));
  }

  private CompletableFuture<byte[]> look(Member from, ByteReader in) {
    ServedEpisode episode = episode(from, in);
    EpisodeLook look = in.constant(EpisodeLook.values());
    String action = in.text();
    return episode.ask(played -> OutcomeCodec.of(() -> seen(played, look, action)));
  }

  private static Consumer<ByteWriter> seen(Episode episode, EpisodeLook look, String action) {
    return switch (look) {
      case OBSERVATION -> out -> out.text(episode.observation());
      case ACTIONS -> out -> out.list(episode.actions(), ByteWriter::text);
      case RESPOND -> out -> out.text(episode.respond(action));
      case EXPERT -> out -> out.optional(episode.expert().orElse(null), ByteWriter::text);
      case FACTS -> out -> OptionCodec.write(out, YamlOptions.of("facts", episode.facts()));
      case PICTURE -> out -> EpisodeCodec.write(out, episode.picture());
      case RENDER -> out -> EpisodeCodec.write(out, episode.render());
      case OBSERVED -> out -> EpisodeCodec.write(out, episode.observed());
    };
  }

  private CompletableFuture<byte[]> close(Member from, ByteReader in) {
    long number = in.int64();
    ServedEpisode episode = episodes.get(number);
    if (episode != null && episode.owner().uid() == from.uid()) {
      episodes.remove(number);
      episode.abandon();
    }
    return AnsweredTopics.done(_ -> {});
  }

  private void changed() {
    List<Member> members = membership.members();
    if (!membership.ended().isDone() && !members.isEmpty()) {
      membership.send(members.getFirst(), EnvironmentTopics.CHANGED, new ByteWriter().toBytes());
    }
  }

  private void leaving(long number) {
    changed();
    worlds.forget(number);
    episodes.forEach(
        (key, episode) -> {
          if (episode.environment() == number) {
            episodes.remove(key);
            episode.end();
          }
        });
  }

  private void end(Predicate<ServedEpisode> which) {
    episodes.forEach(
        (number, episode) -> {
          if (which.test(episode)) {
            episodes.remove(number);
            Thread.startVirtualThread(episode::abandon);
          }
        });
  }

  private void happened(MemberEvent event) {
    if (event instanceof MemberEvent.Removed removed) {
      end(episode -> episode.owner().uid() == removed.member().uid());
    }
  }

  /** Takes back what was registered, ends what is played, and says what was. */
  @Deactivate
  public void deactivate() {
    environments.close();
    topics.close();
    events.close();
    end(_ -> true);
    if (numbers.get() > 0) {
      console.say("played %,d episodes of %,d steps".formatted(numbers.get(), steps.get()));
    }
  }
}
