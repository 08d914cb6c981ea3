package roll.cluster.bundles;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.BundleException;
import roll.api.option.UserException;
import roll.testkit.EmptyDeployer;

/** Installs and starts jars in a framework, and checks nothing. */
final class InstallingDeployer extends EmptyDeployer {
  private final BundleContext context;
  private final Map<Path, Bundle> bundles = new ConcurrentHashMap<>();

  InstallingDeployer(BundleContext context) {
    this.context = context;
  }

  @Override
  public String deploy(Path jar, Consumer<String> notice) {
    return host(jar, notice);
  }

  @Override
  public String host(Path jar, Consumer<String> notice) {
    try (InputStream in = Files.newInputStream(jar)) {
      Bundle bundle = context.installBundle(jar.toUri().toString(), in);
      bundle.start();
      bundles.put(jar, bundle);
      return bundle.getSymbolicName() + " " + bundle.getVersion();
    } catch (BundleException | IOException e) {
      throw new UserException(String.valueOf(e.getMessage()), e);
    }
  }

  @Override
  public void dismiss(Path jar, Consumer<String> notice) {
    Bundle bundle = bundles.remove(jar);
    if (bundle != null) {
      try {
        bundle.uninstall();
      } catch (BundleException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  Bundle bundle(Path jar) {
    Bundle bundle = bundles.get(jar);
    if (bundle == null) {
      throw new AssertionError(jar + " is not deployed");
    }
    return bundle;
  }

  @Override
  public Map<Long, Path> deployed() {
    Map<Long, Path> deployed = new ConcurrentHashMap<>();
    bundles.forEach(
        (jar, bundle) -> {
          if (bundle.getState() == Bundle.ACTIVE) {
            deployed.put(bundle.getBundleId(), jar);
          }
        });
    return deployed;
  }
}
