package roll.deploy;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.BundleException;
import org.osgi.framework.Constants;
import org.osgi.service.component.runtime.ServiceComponentRuntime;
import org.osgi.service.log.admin.LoggerAdmin;

/** Says of an installed bundle what it offers, or why it does not. */
final class Judge {
  private static final int TRIES = 5;
  private static final long PAUSE_MILLIS = 200;

  private final BundleContext context;
  private final @Nullable LoggerAdmin logging;
  private final Components components;
  private final Offers offers;
  private final Path log;

  /** A judge who leaves stacks in the folder {@code log}. */
  Judge(
      BundleContext context,
      ServiceComponentRuntime runtime,
      @Nullable LoggerAdmin logging,
      Path log) {
    this.context = context;
    this.logging = logging;
    this.components = new Components(context, runtime);
    this.offers = new Offers(context);
    this.log = log;
  }

  /** Whether {@code bundle} has been started, maybe to be activated when a class is loaded. */
  static boolean started(Bundle bundle) {
    return bundle.getState() == Bundle.ACTIVE
        || (bundle.getState() == Bundle.STARTING
            && bundle.getHeaders().get(Constants.BUNDLE_ACTIVATIONPOLICY) != null);
  }

  /** The verdict on {@code bundle}, which is started if it is not yet. */
  Verdict judge(Bundle bundle) {
    String title = bundle.getSymbolicName() + " " + bundle.getVersion();
    try {
      start(bundle);
    } catch (BundleException e) {
      return Verdict.refused(title + ": " + why(bundle, e));
    }
    Optional<Components.Trouble> trouble = trouble(bundle);
    if (trouble.isPresent()) {
      return Verdict.refused(
          title + ": " + trouble.get().line() + stack(bundle, trouble.get().stack()));
    }
    List<String> names = offers.of(bundle);
    if (names.isEmpty()) {
      return Verdict.refused(
          title
              + ": it offers nothing: no plugin, no command and no package (is @Component on the"
              + " class, with @RollEnv or its like?)");
    }
    return Verdict.accepted(title + ": " + String.join(", ", names));
  }

  /**
   * Starts it as FileInstall does, not persistently: what is started persistently the framework's
   * start-level thread starts too, in the middle of an update. Where somebody else just resolves or
   * refreshes it this fails though nothing is missing, and is tried again.
   */
  private void start(Bundle bundle) throws BundleException {
    for (int left = TRIES; ; left--) {
      try {
        bundle.start(Bundle.START_ACTIVATION_POLICY | Bundle.START_TRANSIENT);
        return;
      } catch (BundleException e) {
        boolean busy =
            e.getType() == BundleException.RESOLVE_ERROR
                && new Missing(context.getBundles()).of(bundle).isEmpty();
        if (left == 1 || !busy) {
          throw e;
        }
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(PAUSE_MILLIS));
      }
    }
  }

  private Optional<Components.Trouble> trouble(Bundle bundle) {
    try (Quiet _ = Quiet.about(bundle, logging)) {
      return components.of(bundle);
    }
  }

  private String why(Bundle bundle, BundleException e) {
    Throwable cause = e.getCause();
    if (e.getType() == BundleException.ACTIVATOR_ERROR && cause != null) {
      StringWriter stack = new StringWriter();
      cause.printStackTrace(new PrintWriter(stack));
      return "its activator throws "
          + Components.cause(stack.toString())
          + stack(bundle, stack.toString());
    }
    return new Missing(context.getBundles())
        .of(bundle)
        .orElseGet(() -> String.valueOf(e.getMessage()).replaceAll("\\s+", " "));
  }

  /** Where the stack was written; empty where there is none, or no place for it. */
  private String stack(Bundle bundle, String stack) {
    if (stack.isEmpty()) {
      return "";
    }
    Path file = log.resolve("refused-" + bundle.getSymbolicName() + ".log");
    try {
      Files.createDirectories(log);
      Files.writeString(file, stack);
      return " (stack in " + file + ")";
    } catch (IOException e) {
      return "";
    }
  }
}
