package roll.cluster.environments;

import java.nio.file.Path;
import java.util.Map;
import java.util.function.Consumer;
import roll.runtime.deploy.Deployer;

/** A framework in which all belongs to the distribution. */
final class NothingDeployed implements Deployer {
  @Override
  public String deploy(Path jar, Consumer<String> notice) {
    throw new UnsupportedOperationException();
  }

  @Override
  public String undeploy(String name, Consumer<String> notice) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void settle() {}

  @Override
  public String host(Path jar, Consumer<String> notice) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void dismiss(Path jar, Consumer<String> notice) {}

  @Override
  public Map<Long, Path> deployed() {
    return Map.of();
  }
}
