package roll.ui;

import java.util.LinkedHashMap;
import java.util.Map;
import roll.runtime.page.PageSettings;
import roll.ui.control.ControlEndpoints;
import roll.ui.metric.MetricFiles;
import roll.ui.run.RunEndpoints;
import roll.ui.run.RunFolders;
import roll.ui.run.RunPlans;
import roll.ui.system.PluginsInUse;
import roll.ui.system.ServiceChanges;
import roll.ui.system.SystemEndpoints;
import roll.ui.trajectory.TrajectoryEndpoints;
import roll.ui.web.Answer;
import roll.ui.web.Endpoint;
import roll.ui.web.EventStream;
import roll.ui.web.Patterns;
import roll.ui.web.SeenRun;

/**
 * All that a page answers.
 *
 * @param patterns of requests
 * @param events that are told
 * @param changes that they are told of; closed with this
 * @param metrics of the runs; closed with this
 */
record PageRoutes(
    Patterns patterns, EventStream events, ServiceChanges changes, MetricFiles metrics)
    implements AutoCloseable {
  /** The routes of a page of what {@code system} sees, ordered so. */
  static PageRoutes of(HttpLivePage system, PageSettings order) {
    RunFolders runs = new RunFolders(system.trainer, order.folders());
    PluginsInUse inUse = new PluginsInUse(system.loader, system.plugins);
    SystemEndpoints facts =
        new SystemEndpoints(
            system.trainer, system.plugins, inUse, () -> system.devices, () -> system.nodes);
    String version = system.context.getBundle().getVersion().toString();
    Map<String, Endpoint> all = new LinkedHashMap<>();
    all.put("GET /api/about", _ -> about(order, version));
    MetricFiles metrics = new MetricFiles();
    RunEndpoints shown =
        new RunEndpoints(runs, metrics, new RunPlans(system.loader, system.planner));
    all.putAll(shown.endpoints());
    all.putAll(new TrajectoryEndpoints(runs, () -> system.replays).endpoints());
    all.putAll(facts.endpoints());
    all.putAll(
        new ControlEndpoints(runs, inUse, () -> system.deployer, order.deploys()).endpoints());
    ServiceChanges changes = ServiceChanges.of(system.context);
    SeenRun.Source seen =
        () -> {
          facts.note();
          return SeenRun.of(shown.list());
        };
    EventStream events = new EventStream(seen, changes::count, EventStream.Times.standard());
    return new PageRoutes(new Patterns(all), events, changes, metrics);
  }

  private static Answer about(PageSettings order, String version) {
    return new Answer.Json(
        Map.of(
            "version",
            version,
            "readOnly",
            order.readOnly(),
            "deploy",
            order.deploys() && !order.readOnly()));
  }

  @Override
  public void close() {
    changes.close();
    metrics.close();
  }
}
