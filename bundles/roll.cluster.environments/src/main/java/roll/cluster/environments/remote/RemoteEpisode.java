package roll.cluster.environments.remote;

import java.awt.image.BufferedImage;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import roll.api.data.Message;
import roll.api.env.Episode;
import roll.api.env.Observation;
import roll.api.env.Step;
import roll.cluster.environments.calls.EpisodeHost;
import roll.cluster.environments.calls.EpisodeHost.Begun;
import roll.cluster.environments.calls.Outcome;

/** An episode on another node. */
final class RemoteEpisode implements Episode {
  private final EnvironmentCalls calls;
  private final long number;
  private final boolean pictures;
  private final List<Message> before;

  /** What is seen before the first step; null afterward. */
  private @Nullable String beginning;

  /** One that has begun; a world of text has no pictures later either. */
  RemoteEpisode(EnvironmentCalls calls, Begun begun) {
    this.calls = calls;
    this.number = begun.episode();
    this.beginning = begun.beginning();
    this.pictures = begun.pictures();
    this.before = begun.before();
  }

  private <T> T ask(BiFunction<EpisodeHost, Long, CompletableFuture<Outcome<T>>> what) {
    return calls.await(what.apply(calls.host(), number));
  }

  @Override
  public String observation() {
    String first = beginning;
    return first == null ? ask(EpisodeHost::observation) : first;
  }

  @Override
  public List<String> actions() {
    return ask(EpisodeHost::actions);
  }

  @Override
  public String respond(String action) {
    return ask((host, episode) -> host.respond(episode, action));
  }

  @Override
  public Optional<String> expert() {
    return ask(EpisodeHost::expert);
  }

  @Override
  public Map<String, Object> facts() {
    return ask(EpisodeHost::facts);
  }

  @Override
  public Optional<BufferedImage> picture() {
    return pictures ? ask(EpisodeHost::picture) : Optional.empty();
  }

  @Override
  public Observation observed() {
    return pictures ? ask(EpisodeHost::observed) : Observation.of(observation()).behind(before);
  }

  @Override
  public Optional<BufferedImage> render() {
    return ask(EpisodeHost::render);
  }

  @Override
  public Step step(String response) {
    beginning = null;
    return ask((host, episode) -> host.step(episode, response));
  }

  /** Has it closed there; waits for nothing, since nothing comes back. */
  @Override
  public void close() {
    calls.host().close(number);
  }
}
