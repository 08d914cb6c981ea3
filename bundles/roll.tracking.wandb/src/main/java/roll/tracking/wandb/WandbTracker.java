package roll.tracking.wandb;

import static roll.api.option.OptionInfo.Type.LIST;
import static roll.api.option.OptionInfo.Type.TEXT;

import java.net.URI;
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

/** Sends metrics to Weights &amp; Biases, or to a server of one's own that speaks its interface. */
@Component(name = "roll.tracking.wandb")
@RollTracker("wandb")
public final class WandbTracker implements Tracker {
  private static final Logger LOG = LoggerFactory.getLogger("roll.tracking.wandb");

  /** Where wandb's own client sends to. */
  private static final String STANDARD = "https://api.wandb.ai";

  private static final List<OptionInfo> OPTIONS =
      List.of(
          new OptionInfo("base_url", TEXT, null, "address of the server"),
          new OptionInfo("api_key", TEXT, null, "key of the account"),
          new OptionInfo("project", TEXT, null, "project of the run"),
          new OptionInfo("entity", TEXT, null, "user or team; absent, the key's own"),
          new OptionInfo("name", TEXT, null, "name of the run"),
          new OptionInfo("group", TEXT, null, "group of the run"),
          new OptionInfo("tags", LIST, List.of(), "tags of the run"),
          new OptionInfo("mode", TEXT, null, "online, or offline or disabled to send nothing"));

  private final Map<String, String> environment;
  private final Patience patience;

  /** A tracker that knows the variables of this process. */
  @Activate
  public WandbTracker() {
    this(System.getenv(), Patience.STANDARD);
  }

  /** A tracker that knows these variables. */
  WandbTracker(Map<String, String> environment, Patience patience) {
    this.environment = environment;
    this.patience = patience;
  }

  @Override
  public Tracking open(TrackedRun run) {
    Options options = Options.of("tracker_kwargs.wandb", run.options(), OPTIONS);
    String key = value(options, "api_key", "WANDB_API_KEY");
    String mode = value(options, "mode", "WANDB_MODE");
    if (mode != null && !List.of("online", "offline", "disabled").contains(mode)) {
      throw options.wrong("mode", "online, offline or disabled");
    }
    if (mode != null && !mode.equals("online")) {
      LOG.warn("mode is {}: nothing is sent; metrics.jsonl has the metrics", mode);
      return Tracking.silent();
    }
    if (key == null) {
      LOG.warn("nothing is sent: there is no key, neither as api_key nor as WANDB_API_KEY");
      return Tracking.silent();
    }
    String project = value(options, "project", "WANDB_PROJECT");
    String name = value(options, "name", "WANDB_NAME");
    WandbDescription description =
        new WandbDescription(
            project == null ? "roll" : project,
            value(options, "entity", "WANDB_ENTITY"),
            name == null ? run.name() : name,
            value(options, "group", "WANDB_RUN_GROUP"),
            options.texts("tags"));
    WandbRun sender =
        new WandbRun(new WandbServer(address(options), key), description, run.folder());
    return new Outbox("wandb", sender, patience, LOG::warn);
  }

  private URI address(Options options) {
    String given = value(options, "base_url", "WANDB_BASE_URL");
    String base = (given == null ? STANDARD : given).replaceFirst("/+$", "");
    return WebAddress.of(base + "/")
        .orElseThrow(() -> options.wrong("base_url", "an address such as " + STANDARD));
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
