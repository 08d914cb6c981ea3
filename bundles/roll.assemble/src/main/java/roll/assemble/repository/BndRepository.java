package roll.assemble.repository;

import java.net.URI;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.osgi.framework.BundleContext;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import roll.runtime.deploy.Deployer;
import roll.runtime.deploy.PluginIndex;
import roll.runtime.deploy.PluginRepository;

/** Reads indexes with bnd. */
@Component(name = "roll.assemble.repository")
public final class BndRepository implements PluginRepository {
  private final BundleContext context;
  private final Deployer deployer;

  /** A reader whose indexes are compared with the bundles of {@code context}. */
  @Activate
  public BndRepository(BundleContext context, @Reference Deployer deployer) {
    this.context = context;
    this.deployer = deployer;
  }

  @Override
  public PluginIndex read(URI place, @Nullable Path key) throws InterruptedException {
    RepositoryFiles files = RepositoryFiles.at(place);
    byte[] content = files.read();
    String signature =
        IndexSignature.verify(
            RepositoryFiles.shown(files.index()), content, files.signature(), key);
    return new BndIndex(
        files,
        signature,
        IndexParser.parse(content, files.index()),
        InstalledSystem.of(context, deployer.deployed().keySet()));
  }
}
