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
import roll.ui.web.Answer;
import roll.ui.web.Endpoint;

/** What is asked of services, devices and nodes. Each is found out once for all who ask at once. */
public final class SystemEndpoints {
  private static final Duration A_SECOND = Duration.ofSeconds(1);
  private static final Duration A_MOMENT = Duration.ofSeconds(3);

  private final DevicesPage devices;
  private final Kept<ServicesPage.View> services;
  private final Kept<DevicesPage.View> memory;
  private final Kept<List<NodeStatus>> nodes;

  /**
   * Of these services.
   *
   * @param inspector may come and go, and so may {@code nodes}
   */
  public SystemEndpoints(
      Trainer trainer,
      PluginRegistry plugins,
      PluginsInUse inUse,
      Supplier<@Nullable DeviceInspector> inspector,
      Supplier<@Nullable Nodes> nodes) {
    devices = new DevicesPage(inspector, trainer);
    services = new Kept<>(A_SECOND, new ServicesPage(trainer, plugins, inUse)::view);
    memory = new Kept<>(A_SECOND, devices::view);
    this.nodes = new Kept<>(A_MOMENT, () -> nodes(nodes.get()));
  }

  /** By method and path. */
  public Map<String, Endpoint> endpoints() {
    return Map.of(
        "GET /api/services", _ -> new Answer.Json(services.get()),
        "GET /api/devices", _ -> new Answer.Json(memory.get()),
        "GET /api/nodes", _ -> new Answer.Json(Map.of("nodes", nodes.get())));
  }

  /** Notes the memory that is held now, for the history: to be called while somebody looks. */
  public void note() {
    devices.note();
  }

  private static List<NodeStatus> nodes(@Nullable Nodes service) {
    return service == null ? List.of() : service.nodes();
  }
}
