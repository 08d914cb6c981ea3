package roll.sandbox.python;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.osgi.framework.BundleContext;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import roll.api.config.UserException;
import roll.api.sandbox.RollSandbox;
import roll.api.sandbox.Sandbox;
import roll.api.sandbox.SandboxLimits;
import roll.api.sandbox.SandboxSession;

/**
 * Python in processes of its own: the python3 that is installed, with limits on what a process may
 * use. Stopped for certain, but not shut in: it can read what the user can read, and reach the
 * network.
 */
@Component(name = "roll.sandbox.python.process")
@RollSandbox("python_process")
public final class ProcessSandbox implements Sandbox {
  private static final String PYTHON = "roll.sandbox.python_process.python";
  private final Path python;

  /** With the interpreter that a property of the framework names, else the system's. */
  @Activate
  public ProcessSandbox(BundleContext context) {
    this(context.getProperty(PYTHON));
  }

  /** With the interpreter {@code python}; null means the system's. */
  ProcessSandbox(@Nullable String python) {
    this.python = Path.of(Objects.requireNonNullElse(python, "/usr/bin/python3"));
  }

  @Override
  public String description() {
    return "the installed python3 in a process of its own; may read files and reach the network";
  }

  @Override
  public SandboxSession open(SandboxLimits limits) {
    if (!Files.isExecutable(python)) {
      throw new UserException(
          "the sandbox 'python_process' needs " + python + ", which is not there; set -D" + PYTHON);
    }
    return new ProcessSession(python, limits);
  }
}
