package roll.deploy;

import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.dto.BundleDTO;
import org.osgi.service.component.runtime.ServiceComponentRuntime;
import org.osgi.service.component.runtime.dto.ComponentConfigurationDTO;
import org.osgi.service.component.runtime.dto.ComponentDescriptionDTO;
import org.osgi.service.component.runtime.dto.ReferenceDTO;
import org.osgi.service.component.runtime.dto.UnsatisfiedReferenceDTO;
import org.osgi.util.promise.Promise;

/** Components without SCR: a bundle has one if its manifest names the service that it needs. */
final class LackingComponents implements ServiceComponentRuntime {
  static final String NEEDS = "Test-Needs";

  private final BundleContext context;

  LackingComponents(BundleContext context) {
    this.context = context;
  }

  @Override
  public Collection<ComponentDescriptionDTO> getComponentDescriptionDTOs(Bundle... bundles) {
    return Arrays.stream(bundles)
        .filter(bundle -> bundle.getHeaders().get(NEEDS) != null)
        .map(bundle -> getComponentDescriptionDTO(bundle, "needing"))
        .toList();
  }

  @Override
  public ComponentDescriptionDTO getComponentDescriptionDTO(Bundle bundle, String name) {
    ReferenceDTO reference = new ReferenceDTO();
    reference.name = "needed";
    reference.interfaceName = bundle.getHeaders().get(NEEDS);
    ComponentDescriptionDTO component = new ComponentDescriptionDTO();
    component.name = name;
    component.bundle = bundle.adapt(BundleDTO.class);
    component.serviceInterfaces = new String[0];
    component.references = new ReferenceDTO[] {reference};
    return component;
  }

  @Override
  public Collection<ComponentConfigurationDTO> getComponentConfigurationDTOs(
      ComponentDescriptionDTO component) {
    ComponentConfigurationDTO made = new ComponentConfigurationDTO();
    made.description = component;
    made.properties = Map.of();
    made.unsatisfiedReferences =
        Stream.of(component.references)
            .filter(reference -> context.getServiceReference(reference.interfaceName) == null)
            .map(
                reference -> {
                  UnsatisfiedReferenceDTO unsatisfied = new UnsatisfiedReferenceDTO();
                  unsatisfied.name = reference.name;
                  return unsatisfied;
                })
            .toArray(UnsatisfiedReferenceDTO[]::new);
    made.state =
        made.unsatisfiedReferences.length == 0
            ? ComponentConfigurationDTO.ACTIVE
            : ComponentConfigurationDTO.UNSATISFIED_REFERENCE;
    return List.of(made);
  }

  @Override
  public boolean isComponentEnabled(ComponentDescriptionDTO component) {
    return true;
  }

  @Override
  public Promise<Void> enableComponent(ComponentDescriptionDTO component) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Promise<Void> disableComponent(ComponentDescriptionDTO component) {
    throw new UnsupportedOperationException();
  }
}
