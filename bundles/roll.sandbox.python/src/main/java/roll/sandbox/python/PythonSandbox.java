package roll.sandbox.python;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.osgi.framework.BundleContext;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import roll.api.sandbox.RollSandbox;
import roll.api.sandbox.Sandbox;
import roll.api.sandbox.SandboxLimits;
import roll.api.sandbox.SandboxSession;

/**
 * Runs Python in this process with GraalPy, without access to anything outside. The standard
 * library is unpacked into the framework's storage and outlives this bundle: Truffle reads its
 * folder from a JVM property that another version of the bundle needs too.
 */
@Component(name = "roll.sandbox.python")
@RollSandbox("python")
public final class PythonSandbox implements Sandbox {
  private final Path cache;
  private final MemoryWatch memory = new MemoryWatch();
  private final ProgramSlots places =
      new ProgramSlots(2 * Runtime.getRuntime().availableProcessors(), Duration.ofMinutes(1));
  private @Nullable InterpreterPool interpreters;

  /** Creates the sandbox; the first interpreter is created when the first session opens. */
  @Activate
  public PythonSandbox(BundleContext context) {
    this(folder(context.getBundle(0).getBundleContext()));
  }

  /** Creates a sandbox with the standard library in {@code cache}, for use without a framework. */
  public PythonSandbox(Path cache) {
    this.cache = cache;
  }

  private static Path folder(BundleContext framework) {
    return Objects.requireNonNull(framework.getDataFile("graalpy")).toPath();
  }

  @Override
  public String description() {
    return "Python (GraalPy) in this process, without files, network, processes, threads or host"
        + " access classes";
  }

  @Override
  public synchronized SandboxSession open(SandboxLimits limits) {
    if (interpreters == null) {
      interpreters = new InterpreterPool(cache);
    }
    return new PythonSession(interpreters, places, memory, limits);
  }

  /** Stops all programs of the Python sandbox. */
  @Deactivate
  public synchronized void close() {
    if (interpreters != null) {
      interpreters.close();
    }
  }
}
