package roll.cluster.environments;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import org.osgi.framework.Bundle;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import roll.cluster.services.FileDigests;
import roll.runtime.deploy.Deployer;

/** SHA-256 of deployed bundles, which their version does not identify. */
@Component(name = "roll.cluster.environments.digests", service = DeployedDigests.class)
public final class DeployedDigests {
  private final Deployer deployer;
  private final FileDigests digests = new FileDigests();

  /** Creates the digests for the bundles of {@code deployer}. */
  @Activate
  public DeployedDigests(@Reference Deployer deployer) {
    this.deployer = deployer;
  }

  /**
   * Returns the SHA-256 of a jar in hexadecimal digits; empty for a bundle that was not deployed.
   */
  public String of(Bundle bundle) {
    Path jar = deployer.deployed().get(bundle.getBundleId());
    try {
      return jar == null ? "" : digests.of(jar);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
