package roll.deploy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
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

/** Starts an installed bundle and checks what it provides. */
final class BundleCheck {
  private final BundleContext context;
  private final @Nullable LoggerAdmin logging;
  private final ComponentCheck components;
  private final BundleOffers offers;
  private final Path log;

  /** A check that writes stack traces to the folder {@code log}. */
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

  /** Returns whether {@code bundle} is started, possibly with lazy activation. */
  static boolean started(Bundle bundle) {
    return bundle.getState() == Bundle.ACTIVE
        || (bundle.getState() == Bundle.STARTING
            && bundle.getHeaders().get(Constants.BUNDLE_ACTIVATIONPOLICY) != null);
  }

  /** Starts {@code bundle} if necessary and returns the result. */
  DeployResult judge(Bundle bundle) {
    String title = bundle.getSymbolicName() + " " + bundle.getVersion();
    try {
      // transient: the start-level thread would start persistently started bundles too
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
              + ": it provides no plugin, no command and no package (does the class have @Component"
              + " and an annotation such as @RollEnv?)");
    }
    return DeployResult.accepted(title + ": " + String.join(", ", names));
  }

  /** Returns whether the services that the jar lacked are available now, if they are known. */
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

  /** Writes the stack trace; returns the file in parentheses, empty if there is none. */
  private String stack(Bundle bundle, String stack) {
    if (stack.isEmpty()) {
      return "";
    }
    Path file = log.resolve("refused-" + bundle.getSymbolicName() + ".log");
    try {
      Files.createDirectories(log);
      Files.writeString(
          file,
          stack,
          StandardOpenOption.CREATE,
          StandardOpenOption.TRUNCATE_EXISTING,
          StandardOpenOption.WRITE,
          LinkOption.NOFOLLOW_LINKS);
      return " (stack in " + file + ")";
    } catch (IOException e) {
      return "";
    }
  }
}
