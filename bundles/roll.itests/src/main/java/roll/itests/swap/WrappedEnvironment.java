package roll.itests.swap;

import java.awt.image.BufferedImage;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import roll.api.env.Environment;
import roll.api.env.Episode;
import roll.api.env.Scenario;
import roll.api.env.Step;
import roll.api.option.Option;
import roll.api.option.Options;

/** Wraps an environment; subclasses change its steps. */
public abstract class WrappedEnvironment implements Environment {
  private final Environment environment;

  /** Wraps {@code environment}. */
  protected WrappedEnvironment(Environment environment) {
    this.environment = environment;
  }

  /** Performs {@code response} in an episode of the wrapped environment, started with a seed. */
  protected abstract Step step(Episode episode, long seed, String response);

  /** Returns the aggregations, by default those of the wrapped environment. */
  protected Map<String, Scenario.Aggregation> aggregations(Scenario scenario) {
    return scenario.aggregations();
  }

  @Override
  public final String description() {
    return environment.description();
  }

  @Override
  public final List<Option<?>> options() {
    return environment.options();
  }

  @Override
  public final Scenario configure(Options options) {
    Scenario scenario = environment.configure(options);
    return new Scenario() {
      @Override
      public String instruction() {
        return scenario.instruction();
      }

      @Override
      public Episode reset(long seed) {
        return new WrappedEpisode(scenario.reset(seed), seed);
      }

      @Override
      public boolean readsSpecialTokens() {
        return scenario.readsSpecialTokens();
      }

      @Override
      public Map<String, Aggregation> aggregations() {
        return WrappedEnvironment.this.aggregations(scenario);
      }
    };
  }

  /** An episode whose steps the subclass performs. */
  private final class WrappedEpisode implements Episode {
    private final Episode episode;
    private final long seed;

    WrappedEpisode(Episode episode, long seed) {
      this.episode = episode;
      this.seed = seed;
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
    public String respond(String action) {
      return episode.respond(action);
    }

    @Override
    public Step step(String response) {
      return WrappedEnvironment.this.step(episode, seed, response);
    }

    @Override
    public Optional<BufferedImage> render() {
      return episode.render();
    }

    @Override
    public void close() {
      episode.close();
    }
  }
}
