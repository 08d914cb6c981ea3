package roll.itests;

import java.awt.image.BufferedImage;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import roll.api.config.OptionInfo;
import roll.api.config.Options;
import roll.api.env.Environment;
import roll.api.env.Episode;
import roll.api.env.Scenario;
import roll.api.env.Step;

/**
 * A world as it is for some episodes; in later ones every reward is the same number, which need not
 * be finite.
 */
final class SickEnvironment implements Environment {
  private final Environment world;
  private final double reward;
  private final AtomicInteger healthy;

  /**
   * Of {@code world}.
   *
   * @param healthy how many episodes are as they are in {@code world}
   * @param reward of every step after them
   */
  SickEnvironment(Environment world, int healthy, double reward) {
    this.world = world;
    this.reward = reward;
    this.healthy = new AtomicInteger(healthy);
  }

  @Override
  public String description() {
    return world.description();
  }

  @Override
  public List<OptionInfo> options() {
    return world.options();
  }

  @Override
  public Scenario configure(Options options) {
    Scenario scenario = world.configure(options);
    return new Scenario() {
      @Override
      public String instruction() {
        return scenario.instruction();
      }

      @Override
      public Episode reset(long seed) {
        Episode episode = scenario.reset(seed);
        return healthy.getAndDecrement() > 0 ? episode : new Sick(episode, reward);
      }

      @Override
      public Map<String, Aggregation> aggregations() {
        return scenario.aggregations();
      }
    };
  }

  private record Sick(Episode episode, double reward) implements Episode {
    @Override
    public String observation() {
      return episode.observation();
    }

    @Override
    public List<String> actions() {
      return episode.actions();
    }

    @Override
    public String respond(String action) {
      return episode.respond(action);
    }

    @Override
    public Step step(String response) {
      Step step = episode.step(response);
      return new Step(
          step.observation(), reward, step.terminated(), step.truncated(), step.metrics());
    }

    @Override
    public BufferedImage render() {
      return episode.render();
    }

    @Override
    public void close() {
      episode.close();
    }
  }
}
