package roll.sandbox.python_process;

import java.io.IOException;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.Semaphore;
import org.osgi.framework.BundleContext;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import roll.api.sandbox.Isolation;
import roll.api.sandbox.RollSandbox;
import roll.api.sandbox.Sandbox;
import roll.api.sandbox.SandboxLimits;
import roll.api.sandbox.SandboxSession;

/**
 * Runs Python in processes forked from one prepared python3 and isolated by the kernel: a session
 * costs a fork, stopping a program costs a kill.
 */
@Component(name = "roll.sandbox.python_process")
@RollSandbox("python_process")
public final class ProcessSandbox implements Sandbox {
  private final LaunchCommand launch;
  private final Map<Isolation, ForkServer> servers = new EnumMap<>(Isolation.class);

  /** Limits concurrent programs; waiting does not count as their time. */
  private final Semaphore work = new Semaphore(2 * Runtime.getRuntime().availableProcessors());

  /** Creates the sandbox with the interpreter and launcher of the framework's properties. */
  @Activate
  public ProcessSandbox(BundleContext context) {
    this(LaunchCommand.of(context::getProperty));
  }

  /** Creates a sandbox with the system's interpreter, for use without a framework. */
  public ProcessSandbox() {
    this(LaunchCommand.of(_ -> null));
  }

  ProcessSandbox(LaunchCommand launch) {
    this.launch = launch;
  }

  @Override
  public String description() {
    return "the installed python3, a process per session, isolated by the Linux kernel";
  }

  @Override
  public String boundaries(Isolation isolation) {
    return server(isolation).boundaries().line(isolation);
  }

  @Override
  public SandboxSession open(SandboxLimits limits) {
    server(limits.isolation());
    return new ProcessSession(() -> connect(limits), limits, work);
  }

  private ProgramChannel connect(SandboxLimits limits) throws IOException {
    return server(limits.isolation()).connect(limits.memory());
  }

  /** Returns the server for {@code isolation}, started on first use and after it has ended. */
  private synchronized ForkServer server(Isolation isolation) {
    ForkServer server = servers.get(isolation);
    if (server != null && server.lives()) {
      return server;
    }
    if (server != null) {
      server.close();
    }
    ForkServer started = ForkServer.start(launch, isolation);
    servers.put(isolation, started);
    return started;
  }

  /** Stops all programs of the process sandbox. */
  @Deactivate
  public synchronized void close() {
    servers.values().forEach(ForkServer::close);
    servers.clear();
  }
}
