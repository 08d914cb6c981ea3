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

/** Digests of bundles that are none of a distribution, whose version does not say enough. */
@Component(name = "roll.cluster.environments.digests", service = DeployedDigests.class)
public final class DeployedDigests {
  private final Deployer deployer;
  private final FileDigests digests = new FileDigests();

  /** Those of what {@code deployer} deployed. */
  @Activate
  public DeployedDigests(@Reference Deployer deployer) {
    this.deployer = deployer;
  }

  /** SHA-256 of the jar of {@code bundle} in hexadecimal digits; empty if it was not deployed. */
  public String of(Bundle bundle) {
    Path jar = deployer.deployed().get(bundle.getBundleId());
    try {
      return jar == null ? "" : digests.of(jar);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
