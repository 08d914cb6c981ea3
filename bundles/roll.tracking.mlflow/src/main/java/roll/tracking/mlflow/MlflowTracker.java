package roll.tracking.mlflow;

import static roll.api.option.OptionInfo.Type.MAPPING;
import static roll.api.option.OptionInfo.Type.TEXT;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import roll.api.option.OptionInfo;
import roll.api.option.Options;
import roll.api.tracking.RollTracker;
import roll.api.tracking.Tracker;
import roll.api.tracking.Tracking;
import roll.remote.Outbox;
import roll.remote.Outbox.Patience;
import roll.remote.WebAddress;

/** Sends metrics and settings to an MLflow tracking server. */
@Component(name = "roll.tracking.mlflow")
@RollTracker("mlflow")
public final class MlflowTracker implements Tracker {
  private static final Logger LOG = LoggerFactory.getLogger("roll.tracking.mlflow");

  private static final List<OptionInfo> OPTIONS =
      List.of(
          new OptionInfo("tracking_uri", TEXT, null, "address of the server"),
          new OptionInfo("experiment_name", TEXT, null, "experiment; made where there is none"),
          new OptionInfo("run_name", TEXT, null, "name of the run"),
          new OptionInfo("tags", MAPPING, Map.of(), "tags of the run"),
          new OptionInfo("username", TEXT, null, "user, where the server asks for one"),
          new OptionInfo("password", TEXT, null, "of the user"),
          new OptionInfo("auth_token", TEXT, null, "bearer token, in place of user and password"));

  private final Map<String, String> environment;
  private final Patience patience;

  /** A tracker that knows the variables of this process. */
  @Activate
  public MlflowTracker() {
    this(System.getenv(), Patience.STANDARD);
  }

  /** A tracker that knows these variables. */
  MlflowTracker(Map<String, String> environment, Patience patience) {
    this.environment = environment;
    this.patience = patience;
  }

  @Override
  public Tracking open(TrackedRun run) {
    Options options = Options.of("tracker_kwargs.mlflow", run.options(), OPTIONS);
    Map<String, String> tags = options.mapping("tags");
    String address = value(options, "tracking_uri", "MLFLOW_TRACKING_URI");
    if (address == null) {
      LOG.warn(
          "nothing is sent: there is no server, neither as tracking_uri nor as"
              + " MLFLOW_TRACKING_URI");
      return Tracking.silent();
    }
    String experiment = value(options, "experiment_name", "MLFLOW_EXPERIMENT_NAME");
    String name = value(options, "run_name", "MLFLOW_RUN_NAME");
    MlflowDescription description =
        new MlflowDescription(
            experiment == null ? "roll" : experiment, name == null ? run.name() : name, tags);
    MlflowServer server = new MlflowServer(address(options, address), authorization(options));
    MlflowRun sender = new MlflowRun(server, description, run.folder());
    return new Outbox("mlflow", sender, patience, LOG::warn);
  }

  private static URI address(Options options, String given) {
    return WebAddress.of(given.replaceFirst("/+$", "") + "/api/2.0/mlflow/")
        .orElseThrow(
            () ->
                options.wrong(
                    "tracking_uri",
                    "(or as MLFLOW_TRACKING_URI) an address such as http://localhost:5000"));
  }

  /** The header that says who sends, or null. */
  private @Nullable String authorization(Options options) {
    String token = value(options, "auth_token", "MLFLOW_TRACKING_TOKEN");
    if (token != null) {
      return "Bearer " + token;
    }
    String user = value(options, "username", "MLFLOW_TRACKING_USERNAME");
    String password = value(options, "password", "MLFLOW_TRACKING_PASSWORD");
    if (user == null || password == null) {
      return null;
    }
    byte[] both = (user + ":" + password).getBytes(StandardCharsets.UTF_8);
    return "Basic " + Base64.getEncoder().encodeToString(both);
  }

  /** What the option says, else the variable; null where neither does. */
  private @Nullable String value(Options options, String option, String variable) {
    if (options.has(option)) {
      return options.text(option);
    }
    String value = environment.get(variable);
    return value == null || value.isBlank() ? null : value.strip();
  }
}
