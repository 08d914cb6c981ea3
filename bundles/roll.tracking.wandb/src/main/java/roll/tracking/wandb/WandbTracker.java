package roll.tracking.wandb;

import java.net.URI;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import roll.api.option.Option;
import roll.api.option.Options;
import roll.api.tracking.RollTracker;
import roll.api.tracking.Tracker;
import roll.api.tracking.Tracking;
import roll.remote.MetricsUploadQueue;
import roll.remote.MetricsUploadQueue.Patience;
import roll.remote.WebAddress;

/** Sends metrics to Weights &amp; Biases, or to a self-hosted server. */
@Component(name = "roll.tracking.wandb")
@RollTracker("wandb")
public final class WandbTracker implements Tracker {
  private static final Logger LOG = LoggerFactory.getLogger("roll.tracking.wandb");

  /** The default server of wandb's client. */
  private static final String DEFAULT_URL = "https://api.wandb.ai";

  private static final Option<String> BASE_URL = Option.text("base_url", "address of the server");
  private static final Option<String> API_KEY = Option.text("api_key", "key of the account");
  private static final Option<String> PROJECT = Option.text("project", "project of the run");
  private static final Option<String> ENTITY =
      Option.text("entity", "user or team; by default that of the key");
  private static final Option<String> NAME = Option.text("name", "name of the run");
  private static final Option<String> GROUP = Option.text("group", "group of the run");
  private static final Option<List<String>> TAGS =
      Option.list("tags", "tags of the run").withDefault(List.of());
  private static final String ONLINE = "online";
  private static final String OFFLINE = "offline";
  private static final List<String> MODES = List.of(ONLINE, OFFLINE, "disabled");
  private static final Option<String> MODE =
      Option.choice(
          "mode", MODES, "online; offline writes files for wandb sync, disabled sends nothing");

  private final Map<String, String> environment;
  private final Patience patience;

  /** A tracker with the environment of this process. */
  @Activate
  public WandbTracker() {
    this(System.getenv(), Patience.STANDARD);
  }

  /** Creates a tracker with the environment variables of a process. */
  WandbTracker(Map<String, String> environment, Patience patience) {
    this.environment = environment;
    this.patience = patience;
  }

  @Override
  public List<Option<?>> options() {
    return List.of(BASE_URL, API_KEY, PROJECT, ENTITY, NAME, GROUP, TAGS, MODE);
  }

  @Override
  public Tracking open(TrackedRun run) {
    Options options = run.options();
    String key = value(options, API_KEY, "WANDB_API_KEY");
    String mode = value(options, MODE, "WANDB_MODE");
    if (mode != null && !MODES.contains(mode)) {
      throw options.wrong(MODE, "(or as WANDB_MODE) online, offline or disabled");
    }
    boolean offline = OFFLINE.equals(mode);
    if (mode != null && !mode.equals(ONLINE) && !offline) {
      LOG.warn("mode is {}: nothing is sent; metrics.jsonl has the metrics", mode);
      return Tracking.silent();
    }
    if (key == null && !offline) {
      LOG.warn(
          "nothing is sent: there is no key, neither as {} nor as WANDB_API_KEY"
              + " (mode offline writes files for 'wandb sync')",
          API_KEY.name());
      return Tracking.silent();
    }
    String project = value(options, PROJECT, "WANDB_PROJECT");
    String name = value(options, NAME, "WANDB_NAME");
    WandbDescription description =
        new WandbDescription(
            project == null ? "roll" : project,
            value(options, ENTITY, "WANDB_ENTITY"),
            name == null ? run.name() : name,
            value(options, GROUP, "WANDB_RUN_GROUP"),
            options.get(TAGS));
    if (offline || key == null) {
      LOG.info(
          "offline: 'wandb sync {}' sends the run",
          run.folder().resolve("wandb").resolve("offline-run-*"));
      return new WandbOffline(description, run.folder(), LOG::warn);
    }
    WandbRun sender =
        new WandbRun(new WandbServer(address(options), key), description, run.folder());
    return new MetricsUploadQueue("wandb", sender, patience, LOG::warn);
  }

  private URI address(Options options) {
    String given = value(options, BASE_URL, "WANDB_BASE_URL");
    String base = (given == null ? DEFAULT_URL : given).replaceFirst("(?<!/)/+$", "");
    return WebAddress.of(base + "/")
        .orElseThrow(() -> options.wrong(BASE_URL, "an address such as " + DEFAULT_URL));
  }

  /** Returns the option, or the environment variable; null without both. */
  private @Nullable String value(Options options, Option<String> option, String variable) {
    String value = environment.get(variable);
    return options.find(option).orElse(value == null || value.isBlank() ? null : value.strip());
  }
}
