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
import roll.ui.system.ConfiguredPlugins;
import roll.ui.web.ApiAnswer;
import roll.ui.web.ApiRequest;
import roll.ui.web.Endpoint;

/**
 * Orders to runs, and deployment of jars, with the checks and the lines of the shell. Access was
 * checked before.
 */
public final class ControlEndpoints {
  private final RunFolders folders;
  private final ConfiguredPlugins configured;
  private final Supplier<@Nullable Deployer> deployer;
  private final boolean deploy;

  /**
   * Orders to the runs of {@code folders}.
   *
   * @param configured the plugins that can be replaced
   * @param deployer a dynamic service
   * @param deploy whether jars are accepted
   */
  public ControlEndpoints(
      RunFolders folders,
      ConfiguredPlugins configured,
      Supplier<@Nullable Deployer> deployer,
      boolean deploy) {
    this.folders = folders;
    this.configured = configured;
    this.deployer = deployer;
    this.deploy = deploy;
  }

  /** Returns the endpoints by method and path. */
  public Map<String, Endpoint> endpoints() {
    return Map.of(
        "POST /api/runs/{id}/pause", request -> order(request, RunActions::pause),
        "POST /api/runs/{id}/resume", request -> order(request, RunActions::resume),
        "POST /api/runs/{id}/stop", request -> order(request, RunActions::stop),
        "POST /api/runs/{id}/swap", this::swap,
        "GET /api/runs/{id}/plugins", this::plugins,
        "POST /api/deploy", this::deploy,
        "POST /api/undeploy", this::undeploy);
  }

  /** An HTTP answer of one line. */
  private record Line(String line) {}

  private ApiAnswer order(ApiRequest request, Function<TrainingRun, String> order) {
    return new ApiAnswer.Json(new Line(order.apply(run(request))));
  }

  private ApiAnswer swap(ApiRequest request) {
    TrainingRun run = run(request);
    BodyFields body =
        new BodyFields(request.json()).only(Set.of("kind", "from", "to", "overrides"));
    return new ApiAnswer.Json(
        RunActions.swap(
            run, body.text("kind"), body.text("from"), body.text("to"), body.texts("overrides")));
  }

  private ApiAnswer plugins(ApiRequest request) {
    RunEntry entry = folders.find(request.part(0));
    TrainingRun run = entry.run();
    List<ConfiguredPlugins.Configured> swappable =
        run == null
            ? List.of()
            : configured.of(run).stream().filter(plugin -> !plugin.choices().isEmpty()).toList();
    return new ApiAnswer.Json(Map.of("plugins", swappable));
  }

  /** Returns the run of this process; runs of other processes take no orders. */
  private TrainingRun run(ApiRequest request) {
    RunEntry entry = folders.find(request.part(0));
    TrainingRun run = entry.run();
    if (run == null) {
      throw new HttpRefusal(
          409,
          "the process of this page does not train in "
              + entry.folder()
              + ": a run takes orders in the process that started it");
    }
    return run;
  }

  private ApiAnswer deploy(ApiRequest request) throws IOException, InterruptedException {
    return new ApiAnswer.Json(
        JarUpload.deploy(deployer(), request.text("name", ""), request.body()));
  }

  private ApiAnswer undeploy(ApiRequest request) throws InterruptedException {
    Deployer known = deployer();
    String name = new BodyFields(request.json()).only(Set.of("name")).text("name");
    return new ApiAnswer.Json(new Line("undeployed " + known.undeploy(name, _ -> {})));
  }

  private Deployer deployer() {
    if (!deploy) {
      throw new HttpRefusal(403, "deployment is disabled; start the page with --allow-deploy");
    }
    Deployer known = deployer.get();
    if (known == null) {
      throw new HttpRefusal(409, "this distribution lacks the bundle roll.deploy");
    }
    return known;
  }
}
