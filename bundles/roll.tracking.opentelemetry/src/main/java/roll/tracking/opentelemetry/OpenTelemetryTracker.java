package roll.tracking.opentelemetry;

import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import roll.api.option.Option;
import roll.api.option.UserException;
import roll.api.tracking.RollTracker;
import roll.api.tracking.Tracker;
import roll.api.tracking.Tracking;
import roll.remote.TrackerRunFile;

/** Sends the spans of a run to an OpenTelemetry collector, by OTLP over HTTP. */
@Component(name = "roll.tracking.opentelemetry")
@RollTracker("opentelemetry")
public final class OpenTelemetryTracker implements Tracker {
  private static final Logger LOG = LoggerFactory.getLogger("roll.tracking.opentelemetry");

  /** Name of the file that keeps the id of the run. */
  static final String FILE = "opentelemetry-run.json";

  /** Maximum time that the end of a run waits for unsent spans. */
  private static final Duration END = Duration.ofSeconds(10);

  private final Map<String, String> environment;
  private final Duration end;

  /** A tracker with the environment of this process. */
  @Activate
  public OpenTelemetryTracker() {
    this(System.getenv(), END);
  }

  /** Creates a tracker with the environment variables of a process. */
  OpenTelemetryTracker(Map<String, String> environment, Duration end) {
    this.environment = environment;
    this.end = end;
  }

  @Override
  public List<Option<?>> options() {
    return OtlpSettings.OPTIONS;
  }

  @Override
  public Tracking open(TrackedRun run) {
    OtlpSettings settings = OtlpSettings.of(run.options(), environment);
    SpanExporter exporter = settings.exporter(run.folder());
    return new RunSpans(run.name(), runId(run.folder()), settings, exporter, end, LOG::warn);
  }

  /** Returns the id of the run, which a resumed run keeps. */
  private static String runId(Path folder) {
    Path path = folder.resolve(FILE);
    try {
      TrackerRunFile file = TrackerRunFile.read(path);
      if (file == null) {
        String id = UUID.randomUUID().toString();
        file = new TrackerRunFile(path, id, System.currentTimeMillis(), -1);
        file.write();
      }
      return file.id();
    } catch (IOException e) {
      throw new UserException(path + ": " + e.getMessage(), e);
    }
  }
}
