package roll.env.remote;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.ToNumberPolicy;
import com.google.gson.reflect.TypeToken;
import java.awt.image.BufferedImage;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import roll.api.env.Episode;
import roll.api.env.EpisodeStart;
import roll.api.env.Step;

/** Remote episode, whose state is the last answer. */
final class RemoteEpisode implements Episode {
  private static final Gson JSON =
      new GsonBuilder().setObjectToNumberStrategy(ToNumberPolicy.LONG_OR_DOUBLE).create();

  private final RemoteScenario scenario;
  private final EpisodeClient player;
  private final Map<String, Object> facts;
  private AnswerFields seen;
  private boolean over;

  private RemoteEpisode(RemoteScenario scenario, EpisodeClient player, AnswerFields first) {
    this.scenario = scenario;
    this.player = player;
    seen = first;
    facts =
        JSON.fromJson(first.mapping("facts"), new TypeToken<Map<String, Object>>() {}.getType());
  }

  /** Starts an episode, which owns {@code player}. */
  static RemoteEpisode begin(RemoteScenario scenario, EpisodeClient player, EpisodeStart start) {
    return new RemoteEpisode(scenario, player, new AnswerFields(player.reset(start)));
  }

  @Override
  public String observation() {
    return seen.text("observation", "");
  }

  @Override
  public Optional<BufferedImage> picture() {
    return seen.picture("picture");
  }

  @Override
  public List<String> actions() {
    return over ? List.of() : seen.texts("actions");
  }

  @Override
  public String respond(String action) {
    return scenario.respond(action);
  }

  @Override
  public Optional<String> expert() {
    return over ? Optional.empty() : seen.text("expert");
  }

  @Override
  public Map<String, Object> facts() {
    return facts;
  }

  @Override
  public Step step(String response) {
    if (over) {
      throw new IllegalStateException("the episode is over");
    }
    AnswerFields answer = new AnswerFields(player.step(response));
    Step step =
        new Step(
            answer.text("observation", ""),
            answer.number("reward"),
            answer.flag("terminated"),
            answer.flag("truncated"),
            answer.numbers("metrics"));
    seen = answer;
    over = step.done();
    if (over) {
      player.finished();
    }
    return step;
  }

  @Override
  public Optional<BufferedImage> render() {
    AnswerFields drawn = new AnswerFields(player.render());
    Optional<BufferedImage> picture = drawn.picture("picture");
    return picture.isPresent() ? picture : picture();
  }

  @Override
  public void close() {
    player.close();
  }
}
