package roll.ui.system;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import roll.api.device.DeviceInspector;
import roll.runtime.nodes.NodeStatus;
import roll.runtime.nodes.Nodes;
import roll.runtime.pipeline.Trainer;
import roll.runtime.plugin.PluginRegistry;
import roll.ui.web.ApiAnswer;
import roll.ui.web.Endpoint;

/** Answers requests about services, devices and nodes; concurrent requests share one answer. */
public final class SystemEndpoints {
  private static final Duration MAX_AGE = Duration.ofSeconds(1);
  private static final Duration NODES_AGE = Duration.ofSeconds(3);

  private final DevicesView devices;
  private final IntervalCache<ServicesView.View> services;
  private final IntervalCache<DevicesView.View> memory;
  private final IntervalCache<List<NodeStatus>> nodes;

  /**
   * Creates the endpoints for services, devices and nodes.
   *
   * @param inspector a dynamic service, as {@code nodes}
   */
  public SystemEndpoints(
      Trainer trainer,
      PluginRegistry plugins,
      ConfiguredPlugins configured,
      Supplier<@Nullable DeviceInspector> inspector,
      Supplier<@Nullable Nodes> nodes) {
    devices = new DevicesView(inspector, trainer);
    services = new IntervalCache<>(MAX_AGE, new ServicesView(trainer, plugins, configured)::view);
    memory = new IntervalCache<>(MAX_AGE, devices::view);
    this.nodes = new IntervalCache<>(NODES_AGE, () -> nodes(nodes.get()));
  }

  /** Returns the endpoints by method and path. */
  public Map<String, Endpoint> endpoints() {
    return Map.of(
        "GET /api/services", _ -> new ApiAnswer.Json(services.get()),
        "GET /api/devices", _ -> new ApiAnswer.Json(memory.get()),
        "GET /api/nodes", _ -> new ApiAnswer.Json(Map.of("nodes", nodes.get())));
  }

  /** Records the current memory in the history; to be called while a page is open. */
  public void record() {
    devices.record();
  }

  private static List<NodeStatus> nodes(@Nullable Nodes service) {
    return service == null ? List.of() : service.nodes();
  }
}
