package roll.ui;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import roll.runtime.page.PageSettings;
import roll.ui.control.ControlEndpoints;
import roll.ui.control.FolderEndpoints;
import roll.ui.metric.MetricFiles;
import roll.ui.run.RunEndpoints;
import roll.ui.run.RunFolders;
import roll.ui.run.RunPlans;
import roll.ui.system.ConfiguredPlugins;
import roll.ui.system.ServiceChanges;
import roll.ui.system.SystemEndpoints;
import roll.ui.trajectory.TrajectoryEndpoints;
import roll.ui.web.ApiAnswer;
import roll.ui.web.Endpoint;
import roll.ui.web.EventStream;
import roll.ui.web.JsonText;
import roll.ui.web.Router;

/**
 * All HTTP endpoints of a live page.
 *
 * @param events of the page
 * @param changes of services, which are events; closed with this
 * @param metrics of the runs; closed with this
 */
record PageRoutes(Router router, EventStream events, ServiceChanges changes, MetricFiles metrics)
    implements AutoCloseable {
  /** Returns the routes of a live page of {@code system}. */
  static PageRoutes of(HttpLivePage system, PageSettings order) {
    RunFolders runs = new RunFolders(system.trainer, order.folders());
    ConfiguredPlugins configured = new ConfiguredPlugins(system.loader, system.plugins);
    SystemEndpoints facts =
        new SystemEndpoints(
            system.trainer, system.plugins, configured, () -> system.devices, () -> system.nodes);
    String version = system.context.getBundle().getVersion().toString();
    Map<String, Endpoint> all = new LinkedHashMap<>();
    all.put("GET /api/about", _ -> about(order, version));
    MetricFiles metrics = new MetricFiles();
    RunEndpoints shown =
        new RunEndpoints(runs, metrics, new RunPlans(system.loader, system.planner));
    all.putAll(shown.endpoints());
    Thread.ofVirtual().name("roll.ui runs").start(shown::list); // many are read before a page asks
    all.putAll(new TrajectoryEndpoints(runs, () -> system.replays).endpoints());
    all.putAll(facts.endpoints());
    all.putAll(
        new ControlEndpoints(runs, configured, () -> system.deployer, order.deploys()).endpoints());
    all.putAll(new FolderEndpoints(runs).endpoints());
    ServiceChanges changes = ServiceChanges.of(system.context);
    EventStream.Source source =
        () -> {
          facts.record();
          List<EventStream.RunState> states = new ArrayList<>();
          shown.list().forEach(run -> states.add(EventStream.RunState.of(JsonText.tree(run))));
          return states;
        };
    EventStream events = new EventStream(source, changes::count, EventStream.Times.defaults());
    return new PageRoutes(new Router(all), events, changes, metrics);
  }

  private static ApiAnswer about(PageSettings order, String version) {
    return new ApiAnswer.Json(
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
