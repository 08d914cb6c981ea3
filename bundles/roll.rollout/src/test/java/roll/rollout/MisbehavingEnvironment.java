package roll.rollout;

import java.awt.image.BufferedImage;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import roll.api.env.Environment;
import roll.api.env.Episode;
import roll.api.env.Scenario;
import roll.api.env.Step;
import roll.api.option.Option;
import roll.api.option.Options;

/** {@link CountingGame} that commits an {@link Misbehavior} in each step, or when it is closed. */
final class MisbehavingEnvironment implements Environment {
  private final CountingGame game = new CountingGame();
  private final Supplier<Misbehavior> next;
  private final AtomicBoolean over;
  private final boolean closing;

  /** One that commits what {@code next} says, until it is {@code over}. */
  MisbehavingEnvironment(Supplier<Misbehavior> next, AtomicBoolean over, boolean closing) {
    this.next = next;
    this.over = over;
    this.closing = closing;
  }

  @Override
  public String description() {
    return "evil";
  }

  @Override
  public List<Option<?>> options() {
    return game.options();
  }

  @Override
  public Scenario configure(Options options) {
    Scenario scenario = game.configure(options);
    return Scenario.of(scenario.instruction(), seed -> new EvilEpisode(scenario.reset(seed)));
  }

  private final class EvilEpisode implements Episode {
    private final Episode episode;

    EvilEpisode(Episode episode) {
      this.episode = episode;
    }

    @Override
    public String observation() {
      return episode.observation();
    }

    @Override
    public List<String> actions() {
      return episode.actions();
    }

    @Override
    public Step step(String response) {
      if (closing) {
        return episode.step(response);
      }
      Misbehavior evil = next.get();
      evil.commit(over);
      Step fine = episode.step(response);
      return new Step(
          evil.text(fine.observation()),
          fine.reward(),
          fine.terminated(),
          fine.truncated(),
          fine.metrics());
    }

    @Override
    public Optional<BufferedImage> render() {
      return episode.render();
    }

    @Override
    public void close() {
      if (closing) {
        next.get().commit(over);
      }
    }
  }
}
