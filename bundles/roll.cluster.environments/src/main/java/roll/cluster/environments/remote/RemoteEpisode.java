package roll.cluster.environments.remote;

import java.awt.image.BufferedImage;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import roll.api.data.Message;
import roll.api.env.Episode;
import roll.api.env.Observation;
import roll.api.env.Step;
import roll.cluster.environments.codec.EnvironmentTopics;
import roll.cluster.environments.codec.EpisodeCodec;
import roll.cluster.environments.codec.EpisodeLook;
import roll.cluster.services.codec.ByteReader;
import roll.cluster.services.codec.ByteWriter;
import roll.cluster.services.codec.OptionCodec;

/** An episode on another node. */
final class RemoteEpisode implements Episode {
  private final EnvironmentCalls calls;
  private final long number;
  private final boolean pictures;
  private final List<Message> before;

  /** What is seen before the first step; null afterward. */
  private @Nullable String beginning;

  /**
   * The episode with that number.
   *
   * @param beginning what is seen now
   * @param pictures whether there is a picture of it: a world of text has none later either
   * @param before what was said before
   */
  RemoteEpisode(
      EnvironmentCalls calls,
      long number,
      String beginning,
      boolean pictures,
      List<Message> before) {
    this.calls = calls;
    this.number = number;
    this.beginning = beginning;
    this.pictures = pictures;
    this.before = before;
  }

  private ByteWriter message() {
    return new ByteWriter().int64(number);
  }

  private <T> T look(EpisodeLook look, String action, Function<ByteReader, T> value) {
    return calls.ask(EnvironmentTopics.LOOK, message().constant(look).text(action), value);
  }

  @Override
  public String observation() {
    String first = beginning;
    return first == null ? look(EpisodeLook.OBSERVATION, "", ByteReader::text) : first;
  }

  @Override
  public List<String> actions() {
    return look(EpisodeLook.ACTIONS, "", in -> in.list(ByteReader::text));
  }

  @Override
  public String respond(String action) {
    return look(EpisodeLook.RESPOND, action, ByteReader::text);
  }

  @Override
  public Optional<String> expert() {
    return look(EpisodeLook.EXPERT, "", in -> Optional.ofNullable(in.optional(ByteReader::text)));
  }

  @Override
  public Map<String, Object> facts() {
    return look(EpisodeLook.FACTS, "", RemoteEpisode::facts);
  }

  @SuppressWarnings("NullAway") // facts may hold nulls, which their type does not say
  private static Map<String, Object> facts(ByteReader in) {
    return new LinkedHashMap<>(OptionCodec.options(in).values());
  }

  @Override
  public Optional<BufferedImage> picture() {
    return pictures ? look(EpisodeLook.PICTURE, "", EpisodeCodec::picture) : Optional.empty();
  }

  @Override
  public Observation observed() {
    return pictures
        ? look(EpisodeLook.OBSERVED, "", EpisodeCodec::observation)
        : Observation.of(observation()).behind(before);
  }

  @Override
  public Optional<BufferedImage> render() {
    return look(EpisodeLook.RENDER, "", EpisodeCodec::picture);
  }

  @Override
  public Step step(String response) {
    beginning = null;
    return calls.ask(EnvironmentTopics.STEP, message().text(response), EpisodeCodec::step);
  }

  /** Has it closed there; waits for nothing, since nothing comes back. */
  @Override
  public void close() {
    calls.tell(EnvironmentTopics.CLOSE, message());
  }
}
