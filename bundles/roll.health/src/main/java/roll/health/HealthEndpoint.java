package roll.health;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.osgi.framework.BundleContext;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import org.osgi.service.component.annotations.ReferencePolicyOption;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import roll.runtime.pipeline.Trainer;
import roll.runtime.pipeline.TrainingRun;

/**
 * Serves {@code /health}, {@code /progress} and {@code /metrics} of this system, if a port is set.
 * An invalid or used port is a line in the log; training continues.
 */
@Component(
    name = "roll.health",
    immediate = true,
    service = {})
public final class HealthEndpoint {
  private final Logger log = LoggerFactory.getLogger("roll.health");
  private final @Nullable HealthServer server;

  @Reference(
      cardinality = ReferenceCardinality.OPTIONAL,
      policy = ReferencePolicy.DYNAMIC,
      policyOption = ReferencePolicyOption.GREEDY)
  private volatile @Nullable Trainer trainer;

  /** Listens as framework properties, component configuration or environment specify. */
  @Activate
  public HealthEndpoint(BundleContext context, Map<String, Object> configured) {
    FrameworkState framework = new FrameworkState(context);
    this.server =
        start(
            new HealthSettings(context::getProperty, configured, System.getenv()),
            new HealthPages(framework::problems, this::runs));
  }

  private List<TrainingRun> runs() {
    Trainer now = trainer;
    return now == null ? List.of() : now.runs();
  }

  private @Nullable HealthServer start(HealthSettings settings, HealthPages pages) {
    try {
      HealthSettings.Place place = settings.place();
      if (place == null) {
        return null;
      }
      HealthServer started = HealthServer.start(place, pages);
      log.info("listening on {}", started.address());
      return started;
    } catch (IllegalArgumentException e) {
      log.error("no health endpoint: {}", e.getMessage());
      return null;
    }
  }

  @Deactivate
  void close() {
    if (server != null) {
      server.close();
    }
  }
}
