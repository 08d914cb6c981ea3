package roll.itests.swap;

import java.util.LinkedHashMap;
import java.util.Map;
import org.osgi.framework.FrameworkUtil;
import roll.api.env.Environment;
import roll.api.env.Episode;
import roll.api.env.Scenario;
import roll.api.env.Step;

/**
 * Wraps an environment whose steps report the version of this class's bundle as metric {@code
 * version}. Each step loads a new class, which a removed bundle could not.
 */
public final class StampedLake extends WrappedEnvironment {
  private final double version;

  /** Wraps {@code lake} with the version of this class's bundle. */
  public StampedLake(Environment lake) {
    super(lake);
    this.version = FrameworkUtil.getBundle(StampedLake.class).getVersion().getMicro();
  }

  @Override
  protected Map<String, Scenario.Aggregation> aggregations(Scenario scenario) {
    Map<String, Scenario.Aggregation> all = new LinkedHashMap<>(scenario.aggregations());
    all.put("version", Scenario.Aggregation.LAST);
    return all;
  }

  @Override
  protected Step step(Episode episode, long seed, String response) {
    Step step = episode.step(response);
    Map<String, Double> metrics = new LinkedHashMap<>(step.metrics());
    metrics.put("version", step.done() ? new Last(version).version() : version);
    return new Step(
        step.observation(), step.reward(), step.terminated(), step.truncated(), metrics);
  }

  /** A class loaded when the first episode of a version ends. */
  private record Last(double version) {}
}
