package roll.itests.swap;

import java.awt.image.BufferedImage;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.osgi.framework.FrameworkUtil;
import roll.api.env.Environment;
import roll.api.env.Episode;
import roll.api.env.Scenario;
import roll.api.env.Step;
import roll.api.option.Option;
import roll.api.option.Options;

/**
 * Wraps an environment whose steps report the version of this class's bundle as metric {@code
 * version}. Each step loads a new class, which a removed bundle could not.
 */
public final class StampedLake implements Environment {
  private final Environment lake;
  private final double version;

  /** Wraps {@code lake} with the version of this class's bundle. */
  public StampedLake(Environment lake) {
    this.lake = lake;
    this.version = FrameworkUtil.getBundle(StampedLake.class).getVersion().getMicro();
  }

  @Override
  public String description() {
    return lake.description();
  }

  @Override
  public List<Option<?>> options() {
    return lake.options();
  }

  @Override
  public Scenario configure(Options options) {
    Scenario scenario = lake.configure(options);
    return new Scenario() {
      @Override
      public String instruction() {
        return scenario.instruction();
      }

      @Override
      public Episode reset(long seed) {
        return new Stamped(scenario.reset(seed), version);
      }

      @Override
      public boolean readsSpecialTokens() {
        return scenario.readsSpecialTokens();
      }

      @Override
      public Map<String, Aggregation> aggregations() {
        Map<String, Aggregation> all = new LinkedHashMap<>(scenario.aggregations());
        all.put("version", Aggregation.LAST);
        return all;
      }
    };
  }

  /** An episode that reports the version. */
  private record Stamped(Episode episode, double version) implements Episode {
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
      Map<String, Double> metrics = new LinkedHashMap<>(step.metrics());
      metrics.put("version", step.done() ? new Last(version).version() : version);
      return new Step(
          step.observation(), step.reward(), step.terminated(), step.truncated(), metrics);
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

  /** A class loaded when the first episode of a version ends. */
  private record Last(double version) {}
}
