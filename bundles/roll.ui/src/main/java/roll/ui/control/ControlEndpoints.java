package roll.ui.control;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import roll.http.HttpRefusal;
import roll.runtime.deploy.Deployer;
import roll.runtime.pipeline.RunActions;
import roll.runtime.pipeline.TrainingRun;
import roll.ui.run.RunEntry;
import roll.ui.run.RunFolders;
import roll.ui.system.PluginsInUse;
import roll.ui.web.Answer;
import roll.ui.web.Ask;
import roll.ui.web.Endpoint;

/**
 * Orders to runs and jars that come and go, with the checks and the lines of the shell. Who may
 * give them was found out before.
 */
public final class ControlEndpoints {
  private final RunFolders folders;
  private final PluginsInUse inUse;
  private final Supplier<@Nullable Deployer> deployer;
  private final boolean deploy;

  /**
   * Orders to the runs of {@code folders}.
   *
   * @param inUse what can be replaced
   * @param deployer which may come and go
   * @param deploy whether jars are accepted
   */
  public ControlEndpoints(
      RunFolders folders,
      PluginsInUse inUse,
      Supplier<@Nullable Deployer> deployer,
      boolean deploy) {
    this.folders = folders;
    this.inUse = inUse;
    this.deployer = deployer;
    this.deploy = deploy;
  }

  /** By method and path. */
  public Map<String, Endpoint> endpoints() {
    return Map.of(
        "POST /api/runs/{id}/pause", ask -> order(ask, RunActions::pause),
        "POST /api/runs/{id}/resume", ask -> order(ask, RunActions::resume),
        "POST /api/runs/{id}/stop", ask -> order(ask, RunActions::stop),
        "POST /api/runs/{id}/swap", this::swap,
        "GET /api/runs/{id}/plugins", this::plugins,
        "POST /api/deploy", this::deploy,
        "POST /api/undeploy", this::undeploy);
  }

  /** One line. */
  private record Said(String line) {}

  private Answer order(Ask ask, Function<TrainingRun, String> order) {
    return new Answer.Json(new Said(order.apply(run(ask))));
  }

  private Answer swap(Ask ask) {
    TrainingRun run = run(ask);
    Fields body = new Fields(ask.json()).only(Set.of("kind", "from", "to", "overrides"));
    return new Answer.Json(
        RunActions.swap(
            run, body.text("kind"), body.text("from"), body.text("to"), body.texts("overrides")));
  }

  private Answer plugins(Ask ask) {
    RunEntry entry = folders.find(ask.part(0));
    TrainingRun run = entry.run();
    List<PluginsInUse.InUse> swappable =
        run == null
            ? List.of()
            : inUse.of(run).stream().filter(plugin -> !plugin.choices().isEmpty()).toList();
    return new Answer.Json(Map.of("plugins", swappable));
  }

  /** A run that ended, or is another process's, takes no orders. */
  private TrainingRun run(Ask ask) {
    RunEntry entry = folders.find(ask.part(0));
    TrainingRun run = entry.run();
    if (run == null) {
      throw new HttpRefusal(
          409,
          "no process of this page trains in "
              + entry.folder()
              + ": a run takes orders where it was started");
    }
    return run;
  }

  private Answer deploy(Ask ask) throws IOException, InterruptedException {
    return new Answer.Json(JarUpload.deploy(deployer(), ask.text("name", ""), ask.body()));
  }

  private Answer undeploy(Ask ask) throws InterruptedException {
    Deployer known = deployer();
    String name = new Fields(ask.json()).only(Set.of("name")).text("name");
    return new Answer.Json(new Said("undeployed " + known.undeploy(name, _ -> {})));
  }

  private Deployer deployer() {
    if (!deploy) {
      throw new HttpRefusal(403, "this page deploys nothing; start it with --allow-deploy");
    }
    Deployer known = deployer.get();
    if (known == null) {
      throw new HttpRefusal(409, "this distribution lacks the bundle roll.deploy");
    }
    return known;
  }
}
