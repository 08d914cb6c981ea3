package roll.cluster.inference.remote;

import org.osgi.framework.BundleContext;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import roll.api.strategy.InferStrategy;
import roll.cluster.Membership;
import roll.cluster.inference.calls.InferenceHost;
import roll.cluster.inference.server.Transfers;
import roll.cluster.services.ImportedServices;

/** The strategies of the other members as services of the first one. */
@Component(
    name = "roll.cluster.inference.remote",
    immediate = true,
    service = {})
public final class RemoteStrategies {
  private final ImportedServices<InferStrategy> imported;

  /** Registers what members offer; nothing where this is not the first. */
  @Activate
  public RemoteStrategies(
      BundleContext context, @Reference Membership membership, @Reference Transfers transfers) {
    this.imported =
        new ImportedServices<>(
            context,
            membership,
            InferenceHost.STRATEGIES,
            (member, offer) -> new RemoteStrategy(membership, member, offer, transfers));
  }

  /** Takes back what was registered. */
  @Deactivate
  public void deactivate() {
    imported.close();
  }
}
