package roll.tracking.mlflow;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemNotFoundException;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import roll.api.option.Option;
import roll.api.option.Options;
import roll.api.option.UserException;
import roll.api.tracking.RollTracker;
import roll.api.tracking.Tracker;
import roll.api.tracking.Tracking;
import roll.remote.MetricsUploadQueue;
import roll.remote.MetricsUploadQueue.Patience;
import roll.remote.WebAddress;

/** Sends metrics and settings to an MLflow tracking server, or writes its file store. */
@Component(name = "roll.tracking.mlflow")
@RollTracker("mlflow")
public final class MlflowTracker implements Tracker {
  private static final Logger LOG = LoggerFactory.getLogger("roll.tracking.mlflow");

  /** The default folder of MLflow without a server. */
  private static final String STORE = "mlruns";

  private static final String FILE = "file:";
  private static final Option<String> TRACKING_URI =
      Option.text("tracking_uri", "address of the server, or folder of a file store");
  private static final Option<String> EXPERIMENT_NAME =
      Option.text("experiment_name", "experiment; created if missing");
  private static final Option<String> RUN_NAME = Option.text("run_name", "name of the run");
  private static final Option<Map<String, String>> TAGS =
      Option.mapping("tags", "tags of the run").withDefault(Map.of());
  private static final Option<String> USERNAME = Option.text("username", "user");
  private static final Option<String> PASSWORD = Option.text("password", "password");
  private static final Option<String> AUTH_TOKEN =
      Option.text("auth_token", "bearer token, in place of user and password");

  private final Map<String, String> environment;
  private final Patience patience;

  /** A tracker with the environment of this process. */
  @Activate
  public MlflowTracker() {
    this(System.getenv(), Patience.STANDARD);
  }

  /** Creates a tracker with the environment variables of a process. */
  MlflowTracker(Map<String, String> environment, Patience patience) {
    this.environment = environment;
    this.patience = patience;
  }

  @Override
  public List<Option<?>> options() {
    return List.of(TRACKING_URI, EXPERIMENT_NAME, RUN_NAME, TAGS, USERNAME, PASSWORD, AUTH_TOKEN);
  }

  @Override
  public Tracking open(TrackedRun run) {
    Options options = run.options();
    Map<String, String> tags = options.get(TAGS);
    String address = value(options, TRACKING_URI, "MLFLOW_TRACKING_URI");
    String experiment = value(options, EXPERIMENT_NAME, "MLFLOW_EXPERIMENT_NAME");
    String name = value(options, RUN_NAME, "MLFLOW_RUN_NAME");
    MlflowDescription description =
        new MlflowDescription(
            experiment == null ? "roll" : experiment, name == null ? run.name() : name, tags);
    if (address == null) {
      Path store = run.folder().resolveSibling(STORE);
      return new MlflowStore(store, description, run.folder(), LOG::warn);
    }
    if (address.startsWith(FILE) || address.indexOf(':') < 0) {
      return new MlflowStore(folder(options, address), description, run.folder(), LOG::warn);
    }
    MlflowServer server = new MlflowServer(address(options, address), authorization(options));
    MlflowRun sender = new MlflowRun(server, description, run.folder());
    return new MetricsUploadQueue("mlflow", sender, patience, LOG::warn);
  }

  /**
   * Returns the folder of a path, or of an address such as {@code file:///a/b} or {@code file:b}.
   */
  private static Path folder(Options options, String given) {
    try {
      return given.startsWith(FILE + "//")
          ? Path.of(URI.create(given))
          : Path.of(given.startsWith(FILE) ? given.substring(FILE.length()) : given);
    } catch (IllegalArgumentException | FileSystemNotFoundException e) {
      throw wrong(options);
    }
  }

  private static UserException wrong(Options options) {
    return options.wrong(
        TRACKING_URI,
        "(or as MLFLOW_TRACKING_URI) an address such as http://localhost:5000, or a folder");
  }

  private static URI address(Options options, String given) {
    return WebAddress.of(given.replaceFirst("(?<!/)/+$", "") + "/api/2.0/mlflow/")
        .orElseThrow(() -> wrong(options));
  }

  /** Returns the authorization header, or null. */
  private @Nullable String authorization(Options options) {
    String token = value(options, AUTH_TOKEN, "MLFLOW_TRACKING_TOKEN");
    if (token != null) {
      return "Bearer " + token;
    }
    String user = value(options, USERNAME, "MLFLOW_TRACKING_USERNAME");
    String password = value(options, PASSWORD, "MLFLOW_TRACKING_PASSWORD");
    if (user == null || password == null) {
      return null;
    }
    byte[] both = (user + ":" + password).getBytes(StandardCharsets.UTF_8);
    return "Basic " + Base64.getEncoder().encodeToString(both);
  }

  /** Returns the option, or the environment variable; null without both. */
  private @Nullable String value(Options options, Option<String> option, String variable) {
    String value = environment.get(variable);
    return options.find(option).orElse(value == null || value.isBlank() ? null : value.strip());
  }
}
