package roll.testkit;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import roll.runtime.deploy.Deployer;

/** A deployer of a framework without deployed jars; throws where it is to add or remove one. */
public class EmptyDeployer implements Deployer {
  /** Creates the deployer. */
  public EmptyDeployer() {}

  @Override
  public List<String> deploy(List<Path> jars, Consumer<String> notice) throws InterruptedException {
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
