package roll.workspace.container;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.osgi.framework.BundleContext;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import roll.api.sandbox.Isolation;
import roll.api.workspace.RollWorkspace;
import roll.api.workspace.WorkspaceLimits;
import roll.api.workspace.WorkspacePool;
import roll.api.workspace.WorkspaceProvider;

/** Workspaces in containers, by the command line of podman or Docker. */
@Component(name = "roll.workspace.container")
@RollWorkspace("container")
public final class ContainerWorkspaces implements WorkspaceProvider {
  private final EngineOptions options;
  private final Set<WorkspacePool> pools = ConcurrentHashMap.newKeySet();

  /** Creates the provider with the options of the framework's properties. */
  @Activate
  public ContainerWorkspaces(BundleContext context) {
    this(EngineOptions.of(context::getProperty));
  }

  ContainerWorkspaces(EngineOptions options) {
    this.options = options;
  }

  @Override
  public String description() {
    return "containers of podman or Docker, from the image of the template";
  }

  @Override
  public boolean images() {
    return true;
  }

  @Override
  public String boundaries(Isolation isolation) {
    return "commands run in containers of " + options.engine().version();
  }

  @Override
  public WorkspacePool open(WorkspaceLimits limits, int size) {
    Engine engine = options.engine();
    String unused = engine.version();
    WorkspacePool pool = new ContainerPool(engine, options, limits, size);
    pools.add(pool);
    return pool;
  }

  /** Ends all commands and deletes all workspaces. */
  @Deactivate
  public void close() {
    pools.forEach(WorkspacePool::close);
    pools.clear();
  }
}
