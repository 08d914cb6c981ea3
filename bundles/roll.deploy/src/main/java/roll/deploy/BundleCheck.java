package roll.deploy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.BundleException;
import org.osgi.framework.Constants;
import org.osgi.service.component.runtime.ServiceComponentRuntime;
import org.osgi.service.log.admin.LoggerAdmin;
import roll.text.OneLine;

/** Says of an installed bundle what it offers, or why it does not. */
final class BundleCheck {
  private final BundleContext context;
  private final @Nullable LoggerAdmin logging;
  private final ComponentCheck components;
  private final BundleOffers offers;
  private final Path log;

  /** A judge who leaves stacks in the folder {@code log}. */
  BundleCheck(
      BundleContext context,
      ServiceComponentRuntime runtime,
      @Nullable LoggerAdmin logging,
      Path log) {
    this.context = context;
    this.logging = logging;
    this.components = new ComponentCheck(context, runtime);
    this.offers = new BundleOffers(context);
    this.log = log;
  }

  /** Whether {@code bundle} has been started, maybe to be activated when a class is loaded. */
  static boolean started(Bundle bundle) {
    return bundle.getState() == Bundle.ACTIVE
        || (bundle.getState() == Bundle.STARTING
            && bundle.getHeaders().get(Constants.BUNDLE_ACTIVATIONPOLICY) != null);
  }

  /** The verdict on {@code bundle}, which is started if it is not yet. */
  DeployResult judge(Bundle bundle) {
    String title = bundle.getSymbolicName() + " " + bundle.getVersion();
    try {
      // not persistently: what is, the framework's start-level thread starts too
      bundle.start(Bundle.START_ACTIVATION_POLICY | Bundle.START_TRANSIENT);
    } catch (BundleException e) {
      Optional<String> missing = new MissingRequirements(context.getBundles()).of(bundle);
      return missing.isPresent() && e.getType() == BundleException.RESOLVE_ERROR
          ? DeployResult.lacking(title + ": " + missing.get())
          : DeployResult.refused(title + ": " + why(bundle, e));
    }
    Optional<ComponentCheck.Trouble> trouble = trouble(bundle);
    if (trouble.isPresent()) {
      String line = title + ": " + trouble.get().line() + stack(bundle, trouble.get().stack());
      return trouble.get().lacks()
          ? DeployResult.lacking(components.lacks(bundle), line)
          : DeployResult.refused(line);
    }
    List<String> names = offers.of(bundle);
    if (names.isEmpty()) {
      return DeployResult.refused(
          title
              + ": it offers nothing: no plugin, no command and no package (is @Component on the"
              + " class, with @RollEnv or its like?)");
    }
    return DeployResult.accepted(title + ": " + String.join(", ", names));
  }

  /** Whether the services have come that a jar with this verdict lacks, as far as is known. */
  boolean offered(DeployResult verdict) {
    return components.offered(verdict.services());
  }

  private Optional<ComponentCheck.Trouble> trouble(Bundle bundle) {
    try (LogSilencer _ = LogSilencer.about(bundle, logging)) {
      return components.of(bundle);
    }
  }

  private String why(Bundle bundle, BundleException e) {
    Throwable cause = e.getCause();
    if (e.getType() == BundleException.ACTIVATOR_ERROR && cause != null) {
      String stack = OneLine.stack(cause);
      return "its activator throws " + ComponentCheck.cause(stack) + stack(bundle, stack);
    }
    return String.valueOf(e.getMessage());
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
