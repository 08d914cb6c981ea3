package roll.deploy;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.Constants;
import org.osgi.framework.InvalidSyntaxException;
import org.osgi.framework.ServiceReference;
import org.osgi.service.component.ComponentConstants;
import org.osgi.service.component.runtime.ServiceComponentRuntime;
import org.osgi.service.component.runtime.dto.ComponentConfigurationDTO;
import org.osgi.service.component.runtime.dto.ComponentDescriptionDTO;
import org.osgi.service.component.runtime.dto.ReferenceDTO;

/** Checks whether the components of a bundle can be activated. */
final class ComponentCheck {
  private final BundleContext context;
  private final ServiceComponentRuntime runtime;

  ComponentCheck(BundleContext context, ServiceComponentRuntime runtime) {
    this.context = context;
    this.runtime = runtime;
  }

  /**
   * The reason why a component cannot be activated.
   *
   * @param line one line
   * @param stack stack trace; empty if nothing was thrown
   * @param lacks whether another bundle may provide what is missing
   */
  record Trouble(String line, String stack, boolean lacks) {}

  /** Returns filters of the services that components of {@code bundle} need from others. */
  List<String> lacks(Bundle bundle) {
    List<ComponentDescriptionDTO> components =
        runtime.getComponentDescriptionDTOs(bundle).stream()
            .filter(runtime::isComponentEnabled)
            .toList();
    Set<String> own =
        components.stream()
            .flatMap(component -> Stream.of(component.serviceInterfaces))
            .collect(Collectors.toSet());
    List<String> lacks = new ArrayList<>();
    for (ComponentDescriptionDTO component : components) {
      for (ComponentConfigurationDTO made : runtime.getComponentConfigurationDTOs(component)) {
        Set<String> unsatisfied =
            Stream.of(made.unsatisfiedReferences).map(r -> r.name).collect(Collectors.toSet());
        Stream.of(component.references)
            .filter(reference -> unsatisfied.contains(reference.name))
            .filter(reference -> !own.contains(reference.interfaceName))
            .map(ComponentCheck::filter)
            .forEach(lacks::add);
      }
    }
    return lacks;
  }

  private static String filter(ReferenceDTO reference) {
    String service = "(" + Constants.OBJECTCLASS + "=" + reference.interfaceName + ")";
    return reference.target == null ? service : "(&" + service + reference.target + ")";
  }

  /** Returns whether all of {@code filters} have a service; true for an invalid filter. */
  boolean offered(List<String> filters) {
    try {
      for (String filter : filters) {
        if (context.getAllServiceReferences(null, filter) == null) {
          return false;
        }
      }
    } catch (InvalidSyntaxException e) {
      return true;
    }
    return true;
  }

  /**
   * Activates each component of {@code bundle} once, since most are delayed, and returns the first
   * problem.
   */
  Optional<Trouble> of(Bundle bundle) {
    List<String> unmade = unmade(bundle);
    return runtime.getComponentDescriptionDTOs(bundle).stream()
        .filter(runtime::isComponentEnabled)
        .flatMap(description -> trouble(description).stream())
        .findFirst()
        .or(
            () ->
                unmade.stream()
                    .map(
                        name ->
                            new Trouble("component " + name + " cannot be activated", "", false))
                    .findFirst());
  }

  /** Gets all services of {@code bundle}; returns the components that returned none. */
  private List<String> unmade(Bundle bundle) {
    List<String> unmade = new ArrayList<>();
    ServiceReference<?>[] services = bundle.getRegisteredServices();
    for (ServiceReference<?> service : services == null ? new ServiceReference<?>[0] : services) {
      if (context.getService(service) != null) {
        context.ungetService(service);
      } else if (service.getProperty(ComponentConstants.COMPONENT_NAME) instanceof String name) {
        unmade.add(name);
      }
    }
    return unmade;
  }

  private Optional<Trouble> trouble(ComponentDescriptionDTO description) {
    return runtime.getComponentConfigurationDTOs(description).stream()
        .flatMap(made -> trouble(description, made).stream())
        .findFirst();
  }

  private static Optional<Trouble> trouble(
      ComponentDescriptionDTO description, ComponentConfigurationDTO made) {
    String name = "component " + description.name;
    return switch (made.state) {
      case ComponentConfigurationDTO.FAILED_ACTIVATION ->
          Optional.of(new Trouble(name + " throws " + cause(made.failure), made.failure, false));
      case ComponentConfigurationDTO.UNSATISFIED_REFERENCE ->
          Optional.of(
              new Trouble(
                  name
                      + " needs "
                      + unsatisfied(description, made)
                      + ": no installed bundle provides it",
                  "",
                  true));
      case ComponentConfigurationDTO.UNSATISFIED_CONFIGURATION ->
          Optional.of(new Trouble(name + " needs a configuration that does not exist", "", false));
      default -> Optional.empty();
    };
  }

  private static String unsatisfied(
      ComponentDescriptionDTO description, ComponentConfigurationDTO made) {
    return Stream.of(made.unsatisfiedReferences)
        .map(reference -> service(description, reference.name, reference.target))
        .collect(Collectors.joining(", "));
  }

  private static String service(
      ComponentDescriptionDTO description, String reference, String target) {
    for (ReferenceDTO declared : description.references) {
      if (declared.name.equals(reference)) {
        return "a service " + declared.interfaceName + (target == null ? "" : " " + target);
      }
    }
    return "the reference " + reference;
  }

  /** Returns the first line of the innermost exception of a stack trace. */
  static String cause(String stack) {
    return stack
        .lines()
        .filter(line -> line.startsWith("Caused by: "))
        .reduce((first, second) -> second)
        .map(line -> line.substring("Caused by: ".length()))
        .or(() -> stack.lines().findFirst())
        .orElse("an exception")
        .strip();
  }
}
