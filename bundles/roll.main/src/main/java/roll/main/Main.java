package roll.main;

import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.Charset;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.apache.felix.service.command.CommandProcessor;
import org.osgi.framework.BundleContext;
import org.osgi.framework.InvalidSyntaxException;
import org.osgi.framework.ServiceReference;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import roll.runtime.deploy.Deployer;

/**
 * The entry point on the main thread. The launcher calls it when all bundles are started and exits
 * with the returned status. With arguments it runs one command, otherwise it opens the shell.
 */
@Component(name = "roll.main", service = Callable.class, property = "main.thread:Boolean=true")
public final class Main implements Callable<Integer> {
  private final CountDownLatch stopped = new CountDownLatch(1);
  private final HeapGrowth heap = new HeapGrowth();
  private final BundleContext context;
  private final CommandProcessor processor;

  /** Creates the entry point for {@code processor}. */
  @Activate
  public Main(BundleContext context, @Reference CommandProcessor processor) {
    this.context = context;
    this.processor = processor;
  }

  @Deactivate
  void deactivate() {
    stopped.countDown();
    heap.close();
  }

  /**
   * Waits until the jars in the watched folder are deployed, since a command may need them. The
   * service is looked up here because this component is activated before roll.deploy starts.
   */
  private void settle() throws InterruptedException {
    ServiceReference<Deployer> reference = context.getServiceReference(Deployer.class);
    Deployer deployer = reference == null ? null : context.getService(reference);
    if (deployer != null) { // null if the distribution has no roll.deploy
      deployer.settle();
      context.ungetService(reference);
    }
  }

  /** Runs the command or the shell; returns the exit status. */
  @Override
  public Integer call() throws Exception {
    settle();
    heap.start();
    List<String> arguments = arguments();
    // Gogo has replaced System.out to redirect it to the session of the calling thread.
    Charset charset = System.out.charset();
    try (var in = new FileInputStream(FileDescriptor.in);
        var out = new PrintStream(new FileOutputStream(FileDescriptor.out), true, charset);
        var err = new PrintStream(new FileOutputStream(FileDescriptor.err), true, charset)) {
      if (!arguments.isEmpty()) {
        return new CommandLine(processor, new InterruptibleInput(in), out, err).run(arguments);
      }
      new InteractiveShell(context).start();
      stopped.await();
      return ExitStatus.OK;
    }
  }

  /**
   * Returns the arguments of the launcher. Its service is looked up, not injected: it is registered
   * as an Object, which no reference can be resolved to.
   */
  private List<String> arguments() throws InvalidSyntaxException {
    return context.getServiceReferences(Object.class, "(launcher.arguments=*)").stream()
        .findFirst()
        .map(launcher -> List.of((String[]) launcher.getProperty("launcher.arguments")))
        .orElse(List.of());
  }
}
