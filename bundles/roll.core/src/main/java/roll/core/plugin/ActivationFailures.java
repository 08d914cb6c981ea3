package roll.core.plugin;

import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceReference;
import org.osgi.service.component.runtime.ServiceComponentRuntime;
import org.osgi.service.component.runtime.dto.ComponentConfigurationDTO;
import roll.text.OneLine;

/** Why a registered service is unavailable. */
public final class ActivationFailures {
  /** Common part of the messages on plugins that cannot be activated. */
  public static final String REFUSED = " cannot be had: ";

  private final BundleContext context;

  ActivationFailures(BundleContext context) {
    this.context = context;
  }

  /**
   * The exception of the component of {@code reference}, in one line that names its bundle; null if
   * the service is available.
   */
  @Nullable String of(String kind, String name, ServiceReference<?> reference) {
    if (context.getService(reference) != null) {
      context.ungetService(reference);
      return null;
    }
    Bundle bundle = reference.getBundle();
    String thrown =
        thrown(reference).map(failure -> "its component throws " + failure).orElse("it has gone");
    return bundle == null
        ? null
        : OneLine.of(
            "%s '%s' of %s %s%s%s"
                .formatted(
                    kind, name, bundle.getSymbolicName(), bundle.getVersion(), REFUSED, thrown));
  }

  private Optional<String> thrown(ServiceReference<?> service) {
    ServiceReference<ServiceComponentRuntime> reference =
        context.getServiceReference(ServiceComponentRuntime.class);
    ServiceComponentRuntime runtime = reference == null ? null : context.getService(reference);
    if (runtime == null || service.getBundle() == null) {
      return Optional.empty();
    }
    try {
      return runtime.getComponentDescriptionDTOs(service.getBundle()).stream()
          .filter(component -> component.name.equals(service.getProperty("component.name")))
          .flatMap(component -> runtime.getComponentConfigurationDTOs(component).stream())
          .filter(made -> made.state == ComponentConfigurationDTO.FAILED_ACTIVATION)
          .flatMap(made -> innermost(made.failure))
          .findFirst();
    } finally {
      context.ungetService(reference);
    }
  }

  /** Returns the innermost exception of a printed stack trace. */
  private static Stream<String> innermost(String stack) {
    String cause = "Caused by: ";
    return stack
        .lines()
        .filter(line -> line.startsWith(cause))
        .reduce((first, second) -> second)
        .map(line -> line.substring(cause.length()))
        .or(() -> stack.lines().findFirst())
        .stream();
  }
}
