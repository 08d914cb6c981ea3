package roll.cluster.environments.remote;

import org.osgi.framework.BundleContext;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import roll.api.env.Environment;
import roll.cluster.Membership;
import roll.cluster.environments.calls.EpisodeHost;
import roll.cluster.services.ImportedServices;

/** The environments of the members that name the role, as services of the first one. */
@Component(
    name = "roll.cluster.environments.remote",
    immediate = true,
    service = {})
public final class RemoteEnvironments {
  private final ImportedServices<Environment> imported;

  /** Registers what members offer; nothing where this is not the first. */
  @Activate
  public RemoteEnvironments(BundleContext context, @Reference Membership membership) {
    this.imported =
        new ImportedServices<>(
            context,
            membership,
            EpisodeHost.ENVIRONMENTS,
            (member, offer) -> new RemoteEnvironment(membership, member, offer));
  }

  /** Takes back what was registered. */
  @Deactivate
  public void deactivate() {
    imported.close();
  }
}
