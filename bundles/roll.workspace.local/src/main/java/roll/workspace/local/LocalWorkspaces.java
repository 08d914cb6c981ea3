package roll.workspace.local;

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

/**
 * Workspaces on this machine: namespaces with an overlay over the template, made by a prepared
 * python3.
 */
@Component(name = "roll.workspace.local")
@RollWorkspace("local")
public final class LocalWorkspaces implements WorkspaceProvider {
  private final LaunchOptions launch;
  private final Set<WorkspacePool> pools = ConcurrentHashMap.newKeySet();

  /** Creates the provider with the options of the framework's properties. */
  @Activate
  public LocalWorkspaces(BundleContext context) {
    this(LaunchOptions.of(context::getProperty));
  }

  /** Creates a provider with the system's interpreter, for use without a framework. */
  public LocalWorkspaces() {
    this(LaunchOptions.of(_ -> null));
  }

  LocalWorkspaces(LaunchOptions launch) {
    this.launch = launch;
  }

  @Override
  public String description() {
    return "the programs of this machine, in namespaces and over a copy-on-write template";
  }

  @Override
  public String boundaries(Isolation isolation) {
    WorkspaceLimits standard = WorkspaceLimits.STANDARD;
    WorkspaceLimits limits =
        new WorkspaceLimits(
            standard.memory(), standard.processes(), standard.disk(), false, isolation);
    try (PoolServer server = PoolServer.start(launch, limits)) {
      return server.report().line(isolation);
    }
  }

  @Override
  public WorkspacePool open(WorkspaceLimits limits, int size) {
    WorkspacePool pool = new LocalPool(launch, limits, size);
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
