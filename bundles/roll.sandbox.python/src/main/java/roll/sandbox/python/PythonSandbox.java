package roll.sandbox.python;

import java.nio.file.Path;
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
 * Python in this process: GraalPy, with all that reaches out of it shut. Its standard library is
 * unpacked into the framework's storage, where it outlives this bundle: Truffle reads the folder's
 * name from a property of the JVM, and another version of the bundle finds the same there.
 */
@Component(name = "roll.sandbox.python")
@RollSandbox("python")
public final class PythonSandbox implements Sandbox {
  private final Path cache;
  private final MemoryWatch memory = new MemoryWatch();
  private final ProgramSlots places =
      new ProgramSlots(2 * Runtime.getRuntime().availableProcessors());
  private @Nullable Interpreters interpreters;

  /** One that makes its first interpreter when it is first opened. */
  @Activate
  public PythonSandbox(BundleContext context) {
    this(folder(context.getBundle(0).getBundleContext()));
  }

  /** The same with the standard library in folder {@code cache}, for use outside a framework. */
  public PythonSandbox(Path cache) {
    this.cache = cache;
  }

  private static Path folder(BundleContext framework) {
    return Objects.requireNonNull(framework.getDataFile("graalpy")).toPath();
  }

  @Override
  public String description() {
    return "Python (GraalPy) in this process: no files, network, processes, threads or host"
        + " classes";
  }

  @Override
  public synchronized SandboxSession open(SandboxLimits limits) {
    if (interpreters == null) {
      interpreters = new Interpreters(cache);
    }
    return new PythonSession(interpreters, places, memory, limits);
  }

  /** Stops all programs. */
  @Deactivate
  public synchronized void close() {
    if (interpreters != null) {
      interpreters.close();
    }
  }
}
